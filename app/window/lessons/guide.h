#pragma once

#include "window/lessons/guide_bubble.h"
#include "window/lessons/lesson_stage.h"

#include <QAction>
#include <QPointer>
#include <QTimer>
#include <deque>
#include <functional>

namespace aotscope {

/// Plays lessons beside what they are about, a step at a time, and among them the tour of the window. Their texts are
/// data: see Lesson.
class Guide : public QObject {
    Q_OBJECT

public:
    Guide(Workbench& bench, const Controllers& all);

    /// Starts the tour, or gives what is running the focus.
    QAction* tourAction() const { return tour_; }
    /// One for each lesson.
    const QList<QAction*>& lessonActions() const { return actions_; }
    /// Shows the tour beside the first opened model, to users who have neither seen it nor opened a model before.
    void offer();
    void start(const Lesson& lesson);
    bool running() const { return lesson_ != nullptr; }
    /// A step is being prepared.
    bool busy() const { return !left_.empty(); }
    /// Whether `widget` is a part of its bubble.
    bool has(const QWidget* widget) const;

    /// The shown step; null: none.
    const LessonStep* step() const;
    /// Why the window is not as the shown step says, as a sentence; empty: it is.
    const QString& problem() const { return problem_; }
    /// What the step asks to change is changed.
    bool changed() const { return changed_; }
    const LessonStage& stage() const { return stage_; }

Q_SIGNALS:
    /// A page of the manual.
    void manualAsked(const QString& place);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void makeActions();
    void watch(bool on);
    void go(int by);
    void perform(const std::vector<LessonAction>& actions, std::function<void()> then);
    void work();
    void present();
    GuideWords wordsOf(const LessonStep& step) const;
    const Lesson* nextLesson() const;
    void answer(int choice);
    void lookForChange();
    void finish();
    void end();
    void place();

    Workbench& bench_;
    const Controllers& all_;
    LessonStage stage_;
    QAction* tour_;
    QList<QAction*> actions_;
    const Lesson* lesson_ = nullptr;  ///< null: not running
    int step_ = 0;
    std::deque<LessonAction> left_;  ///< to do before `then_`
    bool started_ = false;           ///< the first of them
    std::function<void()> then_;
    QTimer pause_;  ///< before asking again whether it is done
    QString problem_;
    bool changed_ = false;
    QPointer<GuideBubble> bubble_;  ///< null: not running
    QPointer<QWidget> target_, focusBefore_;
    Perspective perspectiveBefore_ = Perspective::explore;
};

}  // namespace aotscope
