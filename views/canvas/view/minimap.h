#pragma once

#include "canvas/view/canvas_state.h"

#include <QImage>
#include <QWidget>

namespace aotscope {

/// The whole picture in a corner of the canvas, with a frame around the part in view; dragging it moves the view.
class Minimap : public QWidget {
    Q_OBJECT

public:
    static constexpr int kWidth = 80;

    Minimap(const CanvasState& state, QWidget* parent);

    /// Call when the picture or its colours have changed.
    void refresh();
    /// The part in view, in the coordinates of the layout.
    void setView(const QRectF& view);
    /// As wide as ever, and as high as the picture then is, as far as possible: programs are long and narrow, and a
    /// true scale would leave a line.
    QSize sizeIn(const QSize& canvas) const;
    /// Not needed if most of the picture is in view.
    bool isUseful() const;

Q_SIGNALS:
    /// The user wants to see this place.
    void placeChosen(QPointF centre);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    QRectF mapRect() const;
    QTransform toMap() const;
    void paintBoxes(QPainter& painter, const QTransform& map) const;
    void choose(QPointF at);

    const CanvasState& state_;
    QRectF view_;
    QImage image_;  ///< null: to be painted
};

}  // namespace aotscope
