#include "window/lessons/guide.h"

#include "controllers/make_action.h"
#include "models/words/to_qstring.h"
#include "window/controllers.h"

#include <QApplication>
#include <QKeyEvent>

#include <algorithm>

namespace aotscope {

namespace {

constexpr int kPauseMs = 20;

/// What a step is for, before its number.
QString purposeOf(const LessonStep& step) {
    if (step.question) return QObject::tr("Predict");
    if (step.change) return QObject::tr("Change");
    return step.facts.empty() ? QObject::tr("Read") : QObject::tr("Look");
}

}  // namespace

Guide::Guide(Workbench& bench, const Controllers& all)
    : QObject(bench.window), bench_(bench), all_(all), stage_(bench, all) {
    makeActions();
    pause_.setSingleShot(true);
    connect(&pause_, &QTimer::timeout, this, &Guide::work);
    connect(bench_.pane(), &GraphPane::graphChanged, this,
            [this] { tour_->setEnabled(running() || bench_.pane()->graph() != nullptr); });
    connect(bench_.pane()->view(), &GraphView::cameraMoved, this, &Guide::place);
    // After everything else has seen the new run.
    connect(all_.runs, &RunController::opened, this, &Guide::lookForChange, Qt::QueuedConnection);
    connect(all_.whatIf, &WhatIfController::answered, this, &Guide::lookForChange, Qt::QueuedConnection);
    connect(bench_.centre->start(), &StartPage::lessonRequested, this, [this](const QString& name) {
        const auto lesson = std::ranges::find(lessons(), name, &Lesson::name);
        if (lesson != lessons().end()) start(*lesson);
    });
    bench_.centre->start()->showDone(bench_.settings.lessonsDone());
}

void Guide::makeActions() {
    tour_ = makeAction(this, QStringLiteral("actionTour"), tr("&Tour"), {Qt::SHIFT | Qt::Key_F1},
                       tr("Points at the graph, Why, What If and Check; gives a running tour or lesson the keyboard"),
                       [this] {
                           if (!running()) start(tourLesson());
                           if (!has(QApplication::focusWidget())) focusBefore_ = QApplication::focusWidget();
                           if (bubble_) bubble_->setFocus(Qt::ShortcutFocusReason);
                       });
    tour_->setEnabled(false);
    for (const Lesson& lesson : lessons())
        actions_ << makeAction(this, QStringLiteral("lesson-") + lesson.name, lesson.title, {}, lesson.summary,
                               [this, &lesson] { start(lesson); });
}

void Guide::offer() {
    if (bench_.settings.tourSeen() || !bench_.settings.recentModels().isEmpty()) return;
    // Starts when there is something to point at.
    connect(
        bench_.pane(), &GraphPane::layoutFinished, this,
        [this] {
            if (!running()) start(tourLesson());
        },
        Qt::SingleShotConnection);
}

void Guide::start(const Lesson& lesson) {
    end();
    lesson_ = &lesson;
    if (lesson_ == &tourLesson()) bench_.settings.setTourSeen();
    else focusBefore_ = bench_.pane()->view();
    tour_->setEnabled(true);
    bubble_ = new GuideBubble(bench_.window);
    bubble_->hide();
    connect(bubble_, &GuideBubble::nextAsked, this, [this] { go(1); });
    connect(bubble_, &GuideBubble::backAsked, this, [this] { go(-1); });
    connect(bubble_, &GuideBubble::dismissed, this, &Guide::end);
    connect(bubble_, &GuideBubble::chosen, this, &Guide::answer);
    connect(bubble_, &GuideBubble::offerTaken, this,
            [this] { perform(step()->change->actions, [this] { lookForChange(); }); });
    connect(bubble_, &GuideBubble::furtherAsked, this, [this] {
        const Lesson* next = nextLesson();
        finish();
        if (next) start(*next);
    });
    connect(bubble_, &GuideBubble::linkFollowed, this, &Guide::manualAsked);
    watch(true);
    perspectiveBefore_ = bench_.perspectives->current();
    step_ = -1;
    go(1);
}

/// Of the window, which the bubble follows, and of the parts where Esc ends the lesson.
void Guide::watch(bool on) {
    for (QObject* part :
         std::initializer_list<QObject*>{bench_.window, bench_.pane()->view(), all_.scratch->panel()->code()}) {
        part->removeEventFilter(this);
        if (on) part->installEventFilter(this);
    }
}

bool Guide::has(const QWidget* widget) const {
    return bubble_ && widget && (bubble_ == widget || bubble_->isAncestorOf(widget));
}

const LessonStep* Guide::step() const {
    return lesson_ && step_ >= 0 ? &lesson_->steps[static_cast<std::size_t>(step_)] : nullptr;
}

// --- the steps ---

void Guide::go(int by) {
    step_ += by;
    if (step_ >= static_cast<int>(lesson_->steps.size())) return finish();
    step_ = std::max(step_, 0);
    problem_.clear();
    changed_ = false;
    perform(step()->actions, [this] { present(); });
}

/// Does `actions` as fast as the window can follow, then `then`.
void Guide::perform(const std::vector<LessonAction>& actions, std::function<void()> then) {
    pause_.stop();
    left_.assign(actions.begin(), actions.end());
    started_ = false;
    then_ = std::move(then);
    work();
}

void Guide::work() {
    while (!left_.empty()) {
        try {
            if (!started_ && !stage_.isReadyFor(left_.front())) return pause_.start(kPauseMs);
            if (!std::exchange(started_, true)) stage_.start(left_.front());
        } catch (const std::exception& e) {
            problem_ = toQString(e.what());
        }
        using enum LessonStage::State;
        const LessonStage::State state = problem_.isEmpty() ? stage_.stateOf(left_.front()) : failed;
        if (state == working) return pause_.start(kPauseMs);
        if (state == failed && problem_.isEmpty()) problem_ = tr("The program of the lesson could not be compiled.");
        if (state == failed) left_.clear();
        else left_.pop_front();
        started_ = false;
    }
    if (!problem_.isEmpty()) bench_.report(ProblemsPanel::Kind::warning, problem_);
    then_();
}

void Guide::present() {
    if (target_) target_->removeEventFilter(this);
    stage_.show(step()->target);
    target_ = stage_.widgetOf(step()->target);
    if (target_) target_->installEventFilter(this);
    bubble_->say(wordsOf(*step()));
    place();
    if (lesson_ != &tourLesson()) bubble_->setFocus(Qt::OtherFocusReason);
}

GuideWords Guide::wordsOf(const LessonStep& shown) const {
    const bool tour = lesson_ == &tourLesson(), last = &shown == &lesson_->steps.back();
    const QString number =
        QStringLiteral("%1 of %2").arg(QString::number(step_ + 1), QString::number(lesson_->steps.size()));
    return {.title = shown.title,
            .text = shown.text,
            .place = tour ? number : QStringLiteral("%1, %2").arg(purposeOf(shown), number),
            .choices = shown.question ? shown.question->choices : QStringList(),
            .offer = shown.change && !shown.change->actions.empty() ? tr("Do It for Me") : QString(),
            .dismiss = last   ? QString()
                       : tour ? tr("Dismiss")
                              : tr("End"),
            .further = last && nextLesson() ? tr("Next Lesson") : QString(),
            .next = last ? tr("Done") : tr("Next"),
            .first = step_ == 0};
}

/// The one after the lesson that is played; null: none, or it is the tour.
const Lesson* Guide::nextLesson() const {
    const auto current = std::ranges::find_if(lessons(), [this](const Lesson& lesson) { return &lesson == lesson_; });
    const bool last = current == lessons().end() || std::next(current) == lessons().end();
    return last ? nullptr : &*std::next(current);
}

void Guide::answer(int choice) {
    if (const LessonStep* asked = step(); asked && asked->question)
        bubble_->answer(choice, asked->question->answer, asked->question->because);
}

/// By the user or by the guide.
void Guide::lookForChange() {
    const LessonStep* shown = step();
    if (!shown || !shown->change || changed_ || busy() || !stage_.whatFails(shown->change->facts).isEmpty()) return;
    changed_ = true;
    bubble_->conclude(shown->change->then);
    place();
}

void Guide::finish() {
    if (lesson_ != &tourLesson()) {
        bench_.settings.setLessonDone(lesson_->name);
        bench_.centre->start()->showDone(bench_.settings.lessonsDone());
    }
    end();
}

/// Returns to the perspective where it began, and the focus to the widget that had it before.
void Guide::end() {
    if (!running()) return;
    lesson_ = nullptr;
    left_.clear();
    pause_.stop();
    const bool hadFocus = has(QApplication::focusWidget());
    watch(false);
    if (target_) target_->removeEventFilter(this);
    target_.clear();
    bench_.perspectives->show(perspectiveBefore_);
    tour_->setEnabled(bench_.pane()->graph() != nullptr);
    bubble_->hide();
    bubble_->deleteLater();
    bubble_.clear();
    if (!hadFocus) return;
    QWidget* back = focusBefore_ ? focusBefore_.data() : bench_.pane()->view();
    back->setFocus(Qt::OtherFocusReason);
}

void Guide::place() {
    if (!bubble_ || bubble_->isHidden() || !step()) return;
    const QRect place = stage_.placeOf(step()->target);
    bubble_->pointAt(place.isEmpty() ? bench_.window->rect() : place, stage_.boxes());
    bubble_->raise();
}

/// The bubble follows its target; docks move after the window is resized.
bool Guide::eventFilter(QObject* object, QEvent* event) {
    const auto type = event->type();
    const bool typedIn = object == bench_.pane()->view() || object == all_.scratch->panel()->code();
    if (type == QEvent::KeyPress && typedIn && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        end();
        return true;
    }
    if (type == QEvent::Resize || type == QEvent::Move || type == QEvent::Show || type == QEvent::Hide)
        QMetaObject::invokeMethod(this, &Guide::place, Qt::QueuedConnection);
    return QObject::eventFilter(object, event);
}

}  // namespace aotscope
