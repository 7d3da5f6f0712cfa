#pragma once

#include "canvas/theme.h"
#include "controllers/settings.h"

namespace aotscope {

/// Gives the application the palette for `appearance` and returns the canvas theme that goes with it.
Theme applyAppearance(Settings::Appearance appearance);

}  // namespace aotscope
