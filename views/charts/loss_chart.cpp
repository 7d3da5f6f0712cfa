#include "charts/loss_chart.h"

#include "charts/chart_svg.h"
#include "support/file.h"

#include <QLegendMarker>
#include <QLineSeries>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

constexpr std::size_t kMostPoints = 2000;  ///< more than a screen has columns

/// The stretches of a curve between values that are no finite numbers, thinned out. The first has a legend entry.
void addCurve(QChart& chart, const std::vector<double>& losses, const QString& name, const QPen& pen) {
    const std::size_t stride = losses.size() / kMostPoints + 1;
    QLineSeries* line = nullptr;
    bool named = false;
    for (std::size_t i = 0; i < losses.size(); ++i) {
        if (i % stride != 0 && i + 1 != losses.size()) continue;
        if (!std::isfinite(losses[i])) {
            line = nullptr;
            continue;
        }
        if (!line) {
            line = new QLineSeries(&chart);
            line->setName(name);
            line->setPen(pen);
            chart.addSeries(line);
            for (QLegendMarker* marker : chart.legend()->markers(line)) marker->setVisible(!named);
            named = true;
        }
        line->append(static_cast<double>(i + 1), losses[i]);
    }
}

/// The smallest and the largest finite loss.
std::pair<double, double> rangeOf(const LossCurves& curves) {
    double low = 0, high = 0;
    bool any = false;
    for (const auto* losses : {&curves.eager, &curves.compiled})
        for (const double loss : *losses) {
            if (!std::isfinite(loss)) continue;
            low = any ? std::min(low, loss) : loss;
            high = any ? std::max(high, loss) : loss;
            any = true;
        }
    return {low, high};
}

}  // namespace

std::unique_ptr<QChart> makeLossChart(const LossCurves& curves, const QString& title, const ChartStyle& style) {
    auto chart = std::make_unique<QChart>();
    applyStyle(*chart, style);
    chart->setTitle(title);
    if (curves.eager.empty()) return chart;
    // Where both agree one covers the other: the upper one has gaps.
    addCurve(*chart, curves.eager, QObject::tr("eager"), QPen(style.estimated, 3));
    addCurve(*chart, curves.compiled, QObject::tr("compiled"), QPen(style.measured, 1.6, Qt::DashLine));
    const auto [low, high] = rangeOf(curves);
    const double margin = std::max((high - low) * 0.06, std::abs(high) * 1e-6);
    auto* x = addAxis(*chart, Qt::AlignBottom, QObject::tr("Step"), 1, static_cast<double>(curves.eager.size()), style);
    auto* y = addAxis(*chart, Qt::AlignLeft, QObject::tr("Loss"), low - margin, high + margin, style);
    x->setLabelFormat(QStringLiteral("%.0f"));
    y->setLabelFormat(QStringLiteral("%.3g"));
    for (QAbstractSeries* series : chart->series()) {
        series->attachAxis(x);
        series->attachAxis(y);
    }
    return chart;
}

void writeLossSvg(const LossCurves& curves, const QString& title, const std::filesystem::path& file,
                  const Theme& theme) {
    constexpr QSize size(760, 460);
    const auto chart = makeLossChart(curves, title, ChartStyle(theme));
    const QByteArray svg = chartSvg(*chart, size, title);
    writeFileAtomically(file, {svg.constData(), static_cast<std::size_t>(svg.size())});
}

LossChart::LossChart(QWidget* parent) : QChartView(parent) {
    setObjectName(QStringLiteral("lossChart"));
    setAccessibleName(tr("Losses of the training, eager and compiled"));
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
}

void LossChart::setCurves(LossCurves curves) {
    curves_ = std::move(curves);
    rebuild();
}

void LossChart::setTheme(const Theme& theme) {
    theme_ = theme;
    rebuild();
}

void LossChart::showEvent(QShowEvent* event) {
    QChartView::showEvent(event);
    if (outdated_) rebuild();
}

/// A chart takes some milliseconds: one that nobody sees is not made.
void LossChart::rebuild() {
    outdated_ = !isVisible();
    if (outdated_) return;
    auto next = makeLossChart(curves_, {}, ChartStyle(theme_));
    setChart(next.get());
    setBackgroundBrush(theme_.background);
    shown_ = std::move(next);
}

void LossChart::mouseMoveEvent(QMouseEvent* event) {
    QChartView::mouseMoveEvent(event);
    const QPointF place = chart()->mapFromScene(mapToScene(event->pos()));
    if (curves_.eager.empty() || !chart()->plotArea().contains(place)) return QToolTip::hideText();
    const double at = std::round(chart()->mapToValue(place).x()) - 1;
    const auto step = static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(curves_.eager.size() - 1)));
    QToolTip::showText(event->globalPosition().toPoint(),
                       tr("step %1: eager %2, compiled %3")
                           .arg(step + 1)
                           .arg(curves_.eager[step], 0, 'g', 6)
                           .arg(curves_.compiled[step], 0, 'g', 6),
                       this);
}

}  // namespace aotscope
