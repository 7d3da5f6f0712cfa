#pragma once

#include "charts/plot_view.h"
#include "partition/pareto.h"

namespace aotscope {

/// A way to partition: saved memory and time.
struct ParetoMark {
    double megabytes = 0;  ///< of 1e6 bytes
    double ms = 0;         ///< of forward and backward
    QString label;         ///< "0.3"
    QString tip;
    bool measured = false;
    bool chosen = false;  ///< the shown one
    SweepKind kind = SweepKind::budget;
};

/// Labels of the axes of a Pareto chart.
struct ParetoAxes {
    QString memory, time;
};

/// Memory against time: the estimated points joined, measured ones beside them.
Plot paretoPlot(const std::vector<ParetoMark>& marks, const ParetoAxes& axes, const QString& title);

/// The chart as a widget with clickable points.
class ParetoChart : public PlotView {
    Q_OBJECT

public:
    explicit ParetoChart(QWidget* parent = nullptr);

    void setMarks(std::vector<ParetoMark> marks, const ParetoAxes& axes);
    const std::vector<ParetoMark>& marks() const { return marks_; }
    const ParetoAxes& axes() const { return axes_; }
    /// In the widget's coordinates.
    QPoint placeOf(std::size_t mark) const;

Q_SIGNALS:
    void markChosen(int mark);

protected:
    int stopCount() const override { return static_cast<int>(marks_.size()); }
    int stopAt(QPointF place) const override { return nearestTo(place); }
    int stopBeside(int stop, int direction) const override;
    std::vector<QPointF> pointsOf(int stop) const override;
    QString tipOf(int stop) const override { return marks_[static_cast<std::size_t>(stop)].tip; }
    void choose(int stop) override { Q_EMIT markChosen(stop); }
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    std::vector<ParetoMark> marks_;
    ParetoAxes axes_;
};

}  // namespace aotscope
