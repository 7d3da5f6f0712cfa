#pragma once

#include "canvas/view/canvas_state.h"

#include <QWidget>

namespace aotscope {

/// The meaning of the colours: a strip below the canvas, of as many lines as its width asks for.
class Legend : public QWidget {
    Q_OBJECT

public:
    Legend(const CanvasState& state, QWidget* parent);

    /// Call after the graph or the colours have changed.
    void refresh();
    /// Without a graph, 0.
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const CanvasState& state_;
    std::vector<Theme::LegendEntry> entries_;
};

}  // namespace aotscope
