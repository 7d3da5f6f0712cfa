#pragma once

#include "canvas/theme.h"

namespace aotscope {

/// Colours of charts, on the background of the canvas; hues that colour-blind eyes tell apart (after Okabe and Ito).
struct ChartStyle {
    explicit ChartStyle(const Theme& theme);

    QColor background, text, faintText, grid;
    QColor estimated, measured, chosen;
    QColor forward, backward, peak;
};

}  // namespace aotscope
