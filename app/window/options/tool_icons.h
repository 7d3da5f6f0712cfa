#pragma once

#include <QIcon>

namespace aotscope {

/// What the buttons of the toolbar show beside their words.
enum class ToolIcon { open, find, compile, check, time, debug, options, equal, differs, stale, unchecked };

/// Drawn in the colours of the application's palette, so that it can be read on light and on dark, at any scale.
QIcon toolIcon(ToolIcon icon);

}  // namespace aotscope
