#include "window/pages/edge_strip.h"

#include <QMainWindow>
#include <QStyleOptionToolButton>
#include <QStylePainter>
#include <QToolButton>

namespace aotscope {

namespace {

/// Upwards at the left edge, downwards at the right one.
class EdgeButton : public QToolButton {
public:
    EdgeButton(bool upwards, QWidget* parent) : QToolButton(parent), upwards_(upwards) {}
    QSize sizeHint() const override { return QToolButton::sizeHint().transposed(); }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QStylePainter painter(this);
        QStyleOptionToolButton option;
        initStyleOption(&option);
        option.rect = QRect(QPoint(), size().transposed());
        painter.rotate(upwards_ ? -90 : 90);
        painter.translate(upwards_ ? -height() : 0, upwards_ ? 0 : -width());
        painter.drawComplexControl(QStyle::CC_ToolButton, option);
    }

private:
    bool upwards_;
};

}  // namespace

EdgeStrip::EdgeStrip(Qt::ToolBarArea edge, QMainWindow* window)
    : QToolBar(edge == Qt::LeftToolBarArea ? tr("Left Edge") : tr("Right Edge"), window), edge_(edge) {
    setObjectName(edge == Qt::LeftToolBarArea ? QStringLiteral("leftEdge") : QStringLiteral("rightEdge"));
    setMovable(false);
    toggleViewAction()->setVisible(false);
    window->addToolBar(edge, this);
    hide();
}

void EdgeStrip::setDocks(const std::vector<QDockWidget*>& docks) {
    if (docks == docks_) return;
    docks_ = docks;
    clear();
    for (QDockWidget* dock : docks) {
        auto* button = new EdgeButton(edge_ == Qt::LeftToolBarArea, this);
        button->setObjectName(dock->objectName() + QStringLiteral("Button"));
        button->setText(dock->windowTitle());
        button->setToolTip(tr("Opens and closes the panel %1").arg(dock->windowTitle()));
        button->setAutoRaise(true);
        button->setCheckable(true);
        button->setChecked(!dock->isHidden());
        button->setFocusPolicy(Qt::TabFocus);
        connect(dock->toggleViewAction(), &QAction::toggled, button, &QToolButton::setChecked);
        connect(button, &QToolButton::clicked, this, [this, dock] { Q_EMIT clicked(dock); });
        addWidget(button);
    }
}

}  // namespace aotscope
