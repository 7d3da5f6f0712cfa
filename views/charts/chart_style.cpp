#include "charts/chart_style.h"

#include <QGraphicsLayout>
#include <QLegend>
#include <cmath>

namespace aotscope {

double roundStep(double range, int most) {
    const double rough = range / most, power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0})
        if (factor * power >= rough) return factor * power;
    return 10 * power;
}

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

void applyStyle(QChart& chart, const ChartStyle& style) {
    chart.setBackgroundBrush(style.background);
    chart.setBackgroundPen(Qt::NoPen);
    chart.setBackgroundRoundness(0);
    chart.setMargins({4, 4, 10, 4});
    chart.layout()->setContentsMargins(0, 0, 0, 0);
    chart.setAnimationOptions(QChart::NoAnimation);
    chart.setTitleBrush(style.text);
    QFont font = lineFont();
    font.setPixelSize(12);
    font.setBold(true);
    chart.setTitleFont(font);
    chart.legend()->setLabelColor(style.text);
    chart.legend()->setFont(lineFont());
    chart.legend()->setAlignment(Qt::AlignRight);
    chart.legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
}

QValueAxis* addAxis(QChart& chart, Qt::Alignment side, const QString& title, double low, double high,
                    const ChartStyle& style) {
    auto* axis = new QValueAxis(&chart);
    constexpr int most = 6;
    if (high <= low) high = low + 1;
    const double step = roundStep(high - low, most);
    axis->setRange(low, high);
    axis->setTickType(QValueAxis::TicksDynamic);
    axis->setTickAnchor(0);
    axis->setTickInterval(step);
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    const bool half = std::abs(step * std::pow(10, decimals) - std::round(step * std::pow(10, decimals))) > 1e-9;
    axis->setLabelFormat(QStringLiteral("%.%1f").arg(half ? decimals + 1 : decimals));
    axis->setTitleText(title);
    QFont titleFont = lineFont();
    titleFont.setPixelSize(11);
    axis->setTitleFont(titleFont);
    axis->setTitleBrush(style.text);
    axis->setLabelsFont(lineFont());
    axis->setLabelsColor(style.text);
    axis->setGridLineColor(style.grid);
    axis->setLinePenColor(style.faintText);
    chart.addAxis(axis, side);
    return axis;
}

}  // namespace aotscope
