#pragma once

#include "charts/plot_view.h"

namespace aotscope {

/// The memory in use during a training step: one step for each operation, forward then backward.
struct MemoryCurve {
    struct Step {
        QString name;  ///< of the operation
        double megabytes = 0;
        bool backward = false;
        double measured = -1;  ///< megabytes; below 0: not measured
    };
    std::vector<Step> steps;
    std::size_t peak = 0;  ///< index of the highest step
};

/// `chosen`: the step marked beside the peak; -1: none.
Plot memoryPlot(const MemoryCurve& curve, int chosen, const QString& title);

/// The curve as a widget: a click chooses a step.
class MemoryChart : public PlotView {
    Q_OBJECT

public:
    explicit MemoryChart(QWidget* parent = nullptr);

    void setCurve(MemoryCurve curve);
    /// Marks a step; -1: none.
    void setChosen(int step);
    const MemoryCurve& curve() const { return curve_; }
    QPoint placeOf(std::size_t step) const;

Q_SIGNALS:
    void stepChosen(int step);

protected:
    int stopCount() const override { return static_cast<int>(curve_.steps.size()); }
    int stopAt(QPointF place) const override;
    std::vector<QPointF> pointsOf(int stop) const override;
    QString tipOf(int stop) const override;
    void choose(int stop) override { Q_EMIT stepChosen(stop); }

private:
    MemoryCurve curve_;
    int chosen_ = -1;
};

}  // namespace aotscope
