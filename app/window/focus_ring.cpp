#include "window/focus_ring.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QTabBar>
#include <QWindow>

namespace aotscope {

namespace {

constexpr int kRingWidth = 2;

/// Event filters of the window see events before its parts do.
bool isKey(QEvent::Type type) { return type == QEvent::KeyPress; }
bool isMouse(QEvent::Type type) { return type == QEvent::MouseButtonPress || type == QEvent::TouchBegin; }
bool moves(QEvent::Type type) {
    return type == QEvent::Move || type == QEvent::Resize || type == QEvent::Show || type == QEvent::Hide;
}

}  // namespace

FocusRing::FocusRing(QMainWindow* window) : QWidget(window), window_(window) {
    setObjectName(QStringLiteral("focusRing"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    window->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

void FocusRing::watchKeys() {
    if (QWindow* handle = window_->windowHandle()) handle->installEventFilter(this);
}

void FocusRing::follow(QWidget* now) {
    for (QWidget* part = target_; part && part != window_; part = part->parentWidget()) part->removeEventFilter(this);
    if (auto* tabs = qobject_cast<QTabBar*>(target_.data())) tabs->disconnect(this);
    // Widgets outside the tab order, such as the note of a lesson, show the focus themselves.
    const bool wanted = byKeyboard_ && now && now->window() == window_ && now->focusPolicy() & Qt::TabFocus;
    target_ = wanted ? now : nullptr;
    for (QWidget* part = target_; part && part != window_; part = part->parentWidget()) part->installEventFilter(this);
    if (auto* tabs = qobject_cast<QTabBar*>(target_.data()))
        connect(tabs, &QTabBar::currentChanged, this, &FocusRing::place);
    place();
}

QRect FocusRing::targetRect() const {
    QRect part = target_->rect();
    if (const auto* tabs = qobject_cast<QTabBar*>(target_.data())) part &= tabs->tabRect(tabs->currentIndex());
    for (const QWidget* within = target_; within != window_; within = within->parentWidget())
        part = part.translated(within->pos()) & within->parentWidget()->rect();
    return part;
}

/// Only the line covers the window, so that the content scrolls and paints undisturbed.
void FocusRing::place() {
    const QRect around = target_ ? targetRect() : QRect();
    if (around.isEmpty()) return hide();
    const QRect own =
        around.adjusted(-kRingWidth / 2, -kRingWidth / 2, kRingWidth / 2, kRingWidth / 2) & window_->rect();
    setGeometry(own);
    const QRect whole(QPoint(), own.size());
    setMask(QRegion(whole) - whole.adjusted(kRingWidth, kRingWidth, -kRingWidth, -kRingWidth));
    raise();
    show();
}

/// Layouts move parts one after another: the ring is placed afterwards.
bool FocusRing::eventFilter(QObject* object, QEvent* event) {
    if (object == window_) {
        if (event->type() == QEvent::Show) watchKeys();
    } else if (object == window_->windowHandle()) {
        if (isMouse(event->type())) byKeyboard_ = false;
        else if (isKey(event->type())) byKeyboard_ = true;
        else return false;
        if (target_ != (byKeyboard_ ? QApplication::focusWidget() : nullptr)) follow(QApplication::focusWidget());
    } else if (moves(event->type())) {
        QMetaObject::invokeMethod(this, &FocusRing::place, Qt::QueuedConnection);
    }
    return false;
}

void FocusRing::paintEvent(QPaintEvent* /*event*/) { QPainter(this).fillRect(rect(), palette().highlight()); }

}  // namespace aotscope
