#include "window/tour/tour.h"

#include "controllers/make_action.h"

#include <QApplication>
#include <QEvent>

namespace aotscope {

Tour::Tour(Workbench& bench, std::vector<Step> steps)
    : QObject(bench.window),
      bench_(bench),
      steps_(std::move(steps)),
      action_(makeAction(this, QStringLiteral("actionTour"), tr("&Tour"), {Qt::SHIFT | Qt::Key_F1},
                         tr("Points at the graph, Why, What If and Check; gives a running tour the keyboard"), [this] {
                             if (!running()) start();
                             focusBefore_ = QApplication::focusWidget();
                             if (bubble_) bubble_->setFocus(Qt::ShortcutFocusReason);
                         })) {
    action_->setEnabled(false);
    connect(bench_.pane(), &GraphPane::graphChanged, this,
            [this] { action_->setEnabled(bench_.pane()->graph() != nullptr); });
}

void Tour::offer() {
    if (bench_.settings.tourSeen() || !bench_.settings.recentModels().isEmpty()) return;
    // Starts when there is something to point at.
    connect(bench_.pane(), &GraphPane::layoutFinished, this, &Tour::start, Qt::SingleShotConnection);
}

void Tour::start() {
    if (running()) return;
    bench_.settings.setTourSeen();
    bubble_ = new TourBubble(bench_.window);
    connect(bubble_, &TourBubble::nextAsked, this, &Tour::next);
    connect(bubble_, &TourBubble::dismissed, this, &Tour::end);
    bench_.window->installEventFilter(this);
    step_ = 0;
    show();
}

void Tour::next() {
    ++step_;
    show();
}

bool Tour::has(const QWidget* widget) const {
    return bubble_ && widget && (bubble_ == widget || bubble_->isAncestorOf(widget));
}

/// Returns the focus to the widget that had it before.
void Tour::end() {
    if (!bubble_) return;
    const bool hadFocus = has(QApplication::focusWidget());
    bench_.window->removeEventFilter(this);
    if (target_) target_->removeEventFilter(this);
    bubble_->hide();
    bubble_->deleteLater();
    bubble_.clear();
    if (!hadFocus) return;
    QWidget* back = focusBefore_ ? focusBefore_.data() : bench_.pane()->view();
    back->setFocus(Qt::OtherFocusReason);
}

/// Skips what the window lacks.
void Tour::show() {
    if (target_) target_->removeEventFilter(this);
    target_.clear();
    for (; step_ < steps_.size(); ++step_)
        if ((target_ = steps_[step_].target())) break;
    if (!target_) return end();
    target_->installEventFilter(this);
    const Step& step = steps_[step_];
    bubble_->say(step.title, step.text, tr("%1 of %2").arg(step_ + 1).arg(steps_.size()), step_ + 1 == steps_.size());
    place();
}

void Tour::place() {
    if (!bubble_ || !target_) return;
    const QWidget* shown = target_;
    while (!shown->isVisible() && shown->parentWidget()) shown = shown->parentWidget();
    bubble_->pointAt({bench_.window->mapFromGlobal(shown->mapToGlobal(QPoint())), shown->size()});
    bubble_->raise();
}

/// The bubble follows its target; docks move after the window is resized.
bool Tour::eventFilter(QObject* object, QEvent* event) {
    const auto type = event->type();
    if (type == QEvent::Resize || type == QEvent::Move || type == QEvent::Show || type == QEvent::Hide)
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
    return QObject::eventFilter(object, event);
}

}  // namespace aotscope
