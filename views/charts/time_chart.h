#pragma once

#include "charts/time_picture.h"

#include <QWidget>

namespace aotscope {

/// A picture of times as a widget. A click selects what a bar stands for, a double click or Enter makes it as wide as
/// the chart, Escape shows everything again; the wheel zooms, arrow keys go from bar to bar.
class TimeChart : public QWidget {
    Q_OBJECT

public:
    explicit TimeChart(QWidget* parent = nullptr);

    void setPicture(TimePicture picture);
    void setTheme(const Theme& theme);
    /// Marks the bar of a node, without a signal.
    void follow(NodeId node, GraphKind graph);

    const TimePicture& picture() const { return picture_; }
    int current() const { return current_; }
    /// The part that is seen, in microseconds.
    double start() const { return seen_.low; }
    double end() const { return seen_.high; }
    QPoint placeOf(int bar) const {
        return frame().rectOf(picture_.bars[static_cast<std::size_t>(bar)]).center().toPoint();
    }

Q_SIGNALS:
    void barChosen(int bar);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    TimeFrame frame() const;
    int barAt(QPointF place) const;
    void choose(int bar);
    void look(const AxisRange& range);
    void showAll() { look(AxisRange::spanning(0, picture_.length())); }
    void showBar(int bar);
    int neighbour(int key) const;

    TimePicture picture_;
    Theme theme_ = Theme::light();
    int current_ = -1;
    AxisRange seen_;
};

}  // namespace aotscope
