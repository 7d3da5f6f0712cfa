#pragma once

#include "charts/plot_view.h"

#include <optional>
#include <utility>

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

/// The curve as a widget: a click chooses a step. Dragging with Shift, or Shift with Left and Right, marks a range of
/// steps; a click or Escape takes the mark away.
class MemoryChart : public PlotView {
    Q_OBJECT

public:
    explicit MemoryChart(QWidget* parent = nullptr);

    void setCurve(MemoryCurve curve);
    /// Marks a step; -1: none.
    void setChosen(int step);
    const MemoryCurve& curve() const { return curve_; }
    QPoint placeOf(std::size_t step) const;

    /// The first and the last marked step.
    using Range = std::pair<int, int>;
    const std::optional<Range>& range() const { return range_; }

Q_SIGNALS:
    void stepChosen(int step);
    /// The user has marked a range, or taken the mark away.
    void rangeChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    int stopCount() const override { return static_cast<int>(curve_.steps.size()); }
    int stopAt(QPointF place) const override;
    std::vector<QPointF> pointsOf(int stop) const override;
    QString tipOf(int stop) const override;
    void choose(int stop) override;

private:
    int nearestStep(QPointF place) const;
    void mark(int from, int to);
    void unmark();

    MemoryCurve curve_;
    int chosen_ = -1;
    std::optional<Range> range_;
    int anchor_ = -1, head_ = -1;  ///< where marking began, and has got to
    bool marking_ = false;         ///< by the mouse
};

}  // namespace aotscope
