#pragma once

#include "charts/chart_style.h"

#include <QChartView>
#include <filesystem>
#include <memory>
#include <vector>

namespace aotscope {

/// Losses of a training, eager and compiled, one for each step.
struct LossCurves {
    std::vector<double> eager, compiled;
};

/// Both curves; a loss that is no finite number leaves a gap.
std::unique_ptr<QChart> makeLossChart(const LossCurves& curves, const QString& title, const ChartStyle& style);

/// Writes the chart as SVG. Needs a QApplication; no screen. Throws Error when the file cannot be written.
void writeLossSvg(const LossCurves& curves, const QString& title, const std::filesystem::path& file,
                  const Theme& theme = Theme::light());

/// The curves as a widget that grows while the training goes on.
class LossChart : public QChartView {
    Q_OBJECT

public:
    explicit LossChart(QWidget* parent = nullptr);

    void setCurves(LossCurves curves);
    void setTheme(const Theme& theme);
    const LossCurves& curves() const { return curves_; }

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void rebuild();

    LossCurves curves_;
    Theme theme_ = Theme::light();
    bool outdated_ = true;
    std::unique_ptr<QChart> shown_;
};

}  // namespace aotscope
