#pragma once

#include "canvas/graph_items.h"

#include <QWidget>

namespace aotscope {

/// The meaning of the colours, in a corner of the canvas.
class Legend : public QWidget {
    Q_OBJECT

public:
    Legend(const CanvasState& state, QWidget* parent);
    /// Call after the graph or the colours have changed.
    void refresh();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const CanvasState& state_;
};

}  // namespace aotscope
