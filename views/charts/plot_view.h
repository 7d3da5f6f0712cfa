#pragma once

#include "charts/chart_widget.h"
#include "charts/plot_layout.h"

#include <optional>

namespace aotscope {

/// A plot as a widget. What the mouse is over is read out in a tooltip; a click chooses it. The wheel zooms where the
/// mouse is, Shift and the wheel move, dragging zooms to the part that it marks, a double click shows everything again.
/// On the keyboard: Left and Right read out one stop after the other, Enter chooses, + and - zoom, Escape shows
/// everything.
///
/// A stop is what can be read out at once: an operation, a step of a training, a point.
class PlotView : public ChartWidget {
    Q_OBJECT

public:
    /// The state that zooming changes.
    enum class Zoom : std::uint8_t {
        along,  ///< x; the heights follow the visible part
        both
    };

    const Plot& plot() const { return plot_; }
    /// The visible part.
    AxisRange seenX() const { return x_; }
    AxisRange seenY() const { return y_; }
    void showAll();
    /// The stop that is read out; -1: none.
    int current() const { return current_; }

    QSize sizeHint() const override { return {420, 240}; }
    QSize minimumSizeHint() const override { return {120, 80}; }

protected:
    PlotView(const QString& name, const QString& accessibleName, Zoom zoom, QWidget* parent);

    /// Call when the data of the stops is ready. `keepsZoom`: a later state of the same plot.
    void setPlot(Plot plot, bool keepsZoom);
    PlotFrame frame() const { return layOut(plot_, size(), x_, y_).frame; }

    virtual int stopCount() const = 0;
    /// -1: none is there.
    virtual int stopAt(QPointF place) const = 0;
    /// The stop with the nearest mark, if the mouse is close to it; -1: none is.
    int nearestTo(QPointF place) const;
    /// The next one to the left (-1) or to the right (1); from -1, the last or the first. Outside of 0 to stopCount() -
    /// 1: none.
    virtual int stopBeside(int stop, int direction) const;
    /// Its marks, in the plot's units. At least one point.
    virtual std::vector<QPointF> pointsOf(int stop) const = 0;
    virtual QString tipOf(int stop) const = 0;
    virtual void choose(int stop);

    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void look(const AxisRange& x, const AxisRange& y);
    void zoomBy(double factor, QPointF centre);
    void zoomTo(const QRectF& band);
    void readOut(int stop, QPoint globalPlace);
    void walkTo(int stop);
    void paintCurrent(QPainter& painter, const PlotFrame& frame) const;

    Zoom zoom_;
    Plot plot_;
    AxisRange x_, y_;
    int current_ = -1;
    std::optional<QPointF> pressed_;  ///< where, until released
    QRectF band_;                     ///< being dragged
};

}  // namespace aotscope
