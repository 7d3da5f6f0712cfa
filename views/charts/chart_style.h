#pragma once

#include "canvas/theme.h"

namespace aotscope {

/// Colours of charts, on the background of the canvas.
struct ChartStyle {
    explicit ChartStyle(const Theme& theme);

    ColourScheme scheme;
    QColor background, text, faintText, grid;
    QColor estimated, measured, chosen;
    QColor forward, backward, peak;
};

}  // namespace aotscope
