#include "window/tour/tour.h"

#include "controllers/make_action.h"

#include <QApplication>
#include <QKeyEvent>

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
    connect(bubble_, &TourBubble::nextAsked, this, [this] { go(1); });
    connect(bubble_, &TourBubble::backAsked, this, [this] { go(-1); });
    connect(bubble_, &TourBubble::dismissed, this, &Tour::end);
    bench_.window->installEventFilter(this);
    bench_.pane()->view()->installEventFilter(this);
    perspectiveBefore_ = bench_.perspectives->current();
    step_ = -1;
    go(1);
}

bool Tour::has(const QWidget* widget) const {
    return bubble_ && widget && (bubble_ == widget || bubble_->isAncestorOf(widget));
}

/// Returns to the perspective where it began, and the focus to the widget that had it before.
void Tour::end() {
    if (!bubble_) return;
    const bool hadFocus = has(QApplication::focusWidget());
    bench_.window->removeEventFilter(this);
    bench_.pane()->view()->removeEventFilter(this);
    if (target_) target_->removeEventFilter(this);
    bench_.perspectives->show(perspectiveBefore_);
    bubble_->hide();
    bubble_->deleteLater();
    bubble_.clear();
    if (!hadFocus) return;
    QWidget* back = focusBefore_ ? focusBefore_.data() : bench_.pane()->view();
    back->setFocus(Qt::OtherFocusReason);
}

void Tour::go(int by) {
    const auto count = static_cast<int>(steps_.size());
    if (target_) target_->removeEventFilter(this);
    target_.clear();
    for (step_ += by; step_ >= 0 && step_ < count && !target_; step_ += by)
        target_ = steps_[static_cast<std::size_t>(step_)].target();
    if (!target_) return end();
    step_ -= by;
    target_->installEventFilter(this);
    const Step& step = steps_[static_cast<std::size_t>(step_)];
    bubble_->say(step.title, step.text, tr("%1 of %2").arg(step_ + 1).arg(count), step_ == 0, step_ + 1 == count);
    place();
}

void Tour::place() {
    if (!bubble_ || !target_) return;
    const QWidget* shown = target_;
    while (!shown->isVisible() && shown->parentWidget()) shown = shown->parentWidget();
    bubble_->pointAt({bench_.window->mapFromGlobal(shown->mapToGlobal(QPoint())), shown->size()});
    bubble_->raise();
}

/// The bubble follows its target; docks move after the window is resized. Esc in the graph is the tour's.
bool Tour::eventFilter(QObject* object, QEvent* event) {
    const auto type = event->type();
    if (type == QEvent::KeyPress && object == bench_.pane()->view() &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        end();
        return true;
    }
    if (type == QEvent::Resize || type == QEvent::Move || type == QEvent::Show || type == QEvent::Hide)
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
    return QObject::eventFilter(object, event);
}

}  // namespace aotscope
