#pragma once

#include "canvas/view/canvas_state.h"

#include <QToolButton>

namespace aotscope {

/// The meaning of the colours, on one line; folded, a button that shows it above the canvas.
class Legend : public QToolButton {
    Q_OBJECT

public:
    Legend(const CanvasState& state, QWidget* parent);

    /// Call after the graph or the colours have changed.
    void refresh();
    bool isEmpty() const { return entries_.empty(); }
    /// The width that it needs, unless folded.
    int lineWidth() const;
    bool isFolded() const { return folded_; }
    void setFolded(bool folded);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// lineWidth() is another one.
    void changed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void open();

    const CanvasState& state_;
    std::vector<Theme::LegendEntry> entries_;
    bool folded_ = false;
};

}  // namespace aotscope
