#pragma once

#include "charts/chart_widget.h"
#include "charts/time_picture.h"

#include <optional>

namespace aotscope {

/// A picture of times as a widget. A click selects the node of a bar, a double click or Enter makes the bar as wide as
/// the chart, Escape shows everything again; the wheel zooms, arrow keys move from bar to bar. Where it is allowed,
/// dragging marks a range of time, Shift with Left and Right marks operation after operation, and a click or Escape
/// takes the mark away. Linked charts have one time axis: they show the same part of it, and a line at the pointer goes
/// through all of them.
class TimeChart : public ChartWidget {
    Q_OBJECT

public:
    explicit TimeChart(QWidget* parent = nullptr);

    void setPicture(TimePicture picture);
    /// Marks the bar of a node, without a signal.
    void follow(NodeId node, GraphKind graph);

    void allowRanges() { ranges_ = true; }
    /// The marked range, in microseconds.
    const std::optional<AxisRange>& range() const { return range_; }
    /// The operations in it: those whose middle it contains.
    std::vector<int> barsInRange() const;
    void clearRange() { setRange(std::nullopt); }

    /// From now on both show the same part of the time, and each other's pointer line.
    static void link(TimeChart* a, TimeChart* b);

    const TimePicture& picture() const { return picture_; }
    int current() const { return current_; }
    /// The visible part, in microseconds.
    double start() const { return seen_.low; }
    double end() const { return seen_.high; }
    /// The place of the pointer line; none: the pointer is over none of the linked charts.
    std::optional<double> hoverTime() const { return hover_; }
    QPoint placeOf(int bar) const {
        return frame().rectOf(picture_.bars[static_cast<std::size_t>(bar)]).center().toPoint();
    }

Q_SIGNALS:
    void barChosen(int bar);
    /// The user has marked a range, or taken the mark away.
    void rangeChanged();
    void seenChanged(const aotscope::AxisRange& seen);
    void hovered(std::optional<double> time);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    TimeFrame frame() const;
    int barAt(QPointF place) const;
    void choose(int bar);
    /// Both notify the linked charts.
    void look(const AxisRange& range);
    void hover(std::optional<double> time);
    void setSeen(const AxisRange& range);
    void setHover(std::optional<double> time);
    void showAll() { look(AxisRange::spanning(0, picture_.length())); }
    void showBar(int bar);
    int neighbour(int key) const;
    void setRange(std::optional<AxisRange> range);
    void dragTo(QPointF place);
    void stretchRange(int direction);

    TimePicture picture_;
    int current_ = -1;
    AxisRange seen_;
    std::optional<double> hover_;
    bool ranges_ = false;
    std::optional<AxisRange> range_;
    std::optional<QPointF> pressed_;  ///< where, until released
    bool dragging_ = false;
    int anchor_ = -1, head_ = -1;  ///< of a range marked by keys: its first operation, and the one added last
};

}  // namespace aotscope
