#pragma once

#include "canvas/theme.h"
#include "controllers/settings.h"

namespace aotscope {

/// Gives the application the palette for `appearance` and returns the matching theme of canvas, charts and tables.
Theme applyAppearance(Settings::Appearance appearance, bool colourBlind);

/// Gives the application the system's font, so much larger; windows follow at once.
void applyTextSize(int percent);

}  // namespace aotscope
