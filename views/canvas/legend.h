#pragma once

#include "canvas/view/canvas_state.h"

#include <QWidget>

namespace aotscope {

/// The meaning of the colours: a strip below the canvas, with as many lines as its width requires.
class Legend : public QWidget {
    Q_OBJECT

public:
    Legend(const CanvasState& state, QWidget* parent);

    /// Call after the graph or the colours have changed.
    void refresh();
    /// 0 without a graph.
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const CanvasState& state_;
    std::vector<Theme::LegendEntry> entries_;
};

}  // namespace aotscope
