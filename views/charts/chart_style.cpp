#include "charts/chart_style.h"

namespace aotscope {

ChartStyle::ChartStyle(const Theme& theme) {
    scheme = theme.scheme;
    background = theme.background;
    text = theme.text;
    faintText = theme.faintText;
    grid = theme.grid;
    estimated = theme.estimated;
    measured = theme.measured;
    chosen = theme.selection;
    forward = theme.forwardCurve;
    backward = theme.backwardCurve;
    peak = theme.selection;
}

}  // namespace aotscope
