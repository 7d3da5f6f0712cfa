#include "charts/chart_style.h"

namespace aotscope {

ChartStyle::ChartStyle(const Theme& theme) {
    const bool dark = theme.background.lightness() < 128;
    const auto pick = [&](const char* onLight, const char* onDark) {
        return QColor(QLatin1String(dark ? onDark : onLight));
    };
    background = theme.background;
    text = theme.text;
    faintText = theme.faintText;
    grid = pick("#e4e5e7", "#383b40");
    estimated = pick("#0072b2", "#56b4e9");
    measured = pick("#d55e00", "#f0884a");
    chosen = theme.selection;
    forward = pick("#56a0d8", "#3f7fb5");
    backward = pick("#e8a35c", "#b9752f");
    peak = theme.selection;
}

}  // namespace aotscope
