#pragma once

#include "canvas/canvas_state.h"

#include <QImage>
#include <QWidget>

namespace aotscope {

/// The whole picture in a corner of the canvas, with a frame around the part in view; dragging it moves the view.
class Minimap : public QWidget {
    Q_OBJECT

public:
    Minimap(const CanvasState& state, QWidget* parent);

    /// Call when the picture or its colours have changed.
    void refresh();
    /// The part in view, in the coordinates of the layout.
    void setView(const QRectF& view);
    /// Not needed where all of the picture is in view.
    bool isUseful() const;

Q_SIGNALS:
    /// The person wants to see this place.
    void placeChosen(QPointF centre);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    QTransform toMap() const;
    void choose(QPointF at);

    const CanvasState& state_;
    QRectF view_;
    QImage image_;  ///< null: to be painted
};

}  // namespace aotscope
