#pragma once

#include "canvas/legend.h"
#include "canvas/view/zoomed_modules.h"

#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QWidget>

namespace aotscope {

/// The line below a canvas: the colour mode and what colours mean, how deep modules are open, what is closed, and the
/// zoom. Only emits what the user requests.
class CanvasStrip : public QWidget {
    Q_OBJECT

public:
    /// Takes the legend of its canvas.
    CanvasStrip(Legend* legend, QWidget* parent);

    /// Commands for the colour mode, one of which is checked.
    void setColours(QMenu* menu);
    /// A graph without modules.
    void showNoModules();
    /// `deepest`: the depth at which everything is open.
    void showDepth(const OpenDepth& depth, int deepest);
    /// 1 is 100 %. `tooWide`: the picture is wider than the canvas, and would be unreadable if it were smaller.
    void showZoom(double zoom, bool tooWide);

    QSize minimumSizeHint() const override { return {0, QWidget::minimumSizeHint().height()}; }

Q_SIGNALS:
    /// Open one more level, or close one.
    void depthChosen(int step);
    void usualZoomChosen();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void nameColours(const QAction* chosen);
    void showWhatFits();

    Legend* legend_;
    QToolButton *colours_, *close_, *open_, *zoom_;
    QLabel *depth_, *closed_, *wide_;
    QString depthInWords_, depthInShort_;
    bool modules_ = false, tooWide_ = false;
};

}  // namespace aotscope
