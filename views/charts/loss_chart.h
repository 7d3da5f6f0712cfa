#pragma once

#include "charts/plot_view.h"

namespace aotscope {

/// Losses of a training, eager and compiled, one for each step.
struct LossCurves {
    std::vector<double> eager, compiled;
};

/// Both curves; a loss that is not finite leaves a gap.
Plot lossPlot(const LossCurves& curves, const QString& title);

/// The curves as a widget that grows during the training.
class LossChart : public PlotView {
    Q_OBJECT

public:
    explicit LossChart(QWidget* parent = nullptr);

    void setCurves(LossCurves curves);
    const LossCurves& curves() const { return curves_; }

protected:
    int stopCount() const override { return static_cast<int>(curves_.eager.size()); }
    int stopAt(QPointF place) const override;
    std::vector<QPointF> pointsOf(int stop) const override;
    QString tipOf(int stop) const override;

private:
    LossCurves curves_;
};

}  // namespace aotscope
