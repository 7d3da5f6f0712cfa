#pragma once

#include <QIcon>

namespace aotscope {

/// The icons of the toolbar's buttons.
enum class ToolIcon { open, find, compile, check, time, debug, options, equal, differs, stale, unchecked };

/// Drawn in the colours of the application's palette, readable on light and on dark, at any scale.
QIcon toolIcon(ToolIcon icon);

}  // namespace aotscope
