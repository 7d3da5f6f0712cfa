#pragma once

#include "window/tour/tour_bubble.h"
#include "window/workbench.h"

#include <QAction>
#include <QPointer>
#include <functional>

namespace aotscope {

struct Controllers;

/// Four things shown to new users once, beside the first model: the graph, Why, What If, Check.
class Tour : public QObject {
    Q_OBJECT

public:
    /// A part of the window to point at. `target` brings it to the front; null: this window does not have it.
    struct Step {
        QString title, text;
        std::function<QWidget*()> target;
    };
    Tour(Workbench& bench, std::vector<Step> steps);

    /// Starts it, or gives it the focus while it runs.
    QAction* action() const { return action_; }
    /// Shows it beside the first opened model, to users who have neither seen it nor opened a model before.
    void offer();
    bool running() const { return bubble_ != nullptr; }
    /// Whether `widget` is a part of its note.
    bool has(const QWidget* widget) const;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void start();
    /// Shows another step: the next one that the window has in this direction.
    void go(int by);
    void end();
    void place();

    Workbench& bench_;
    std::vector<Step> steps_;
    QAction* action_;
    QPointer<TourBubble> bubble_;  ///< null: not running
    QPointer<QWidget> target_;
    QPointer<QWidget> focusBefore_;
    Perspective perspectiveBefore_ = Perspective::explore;
    int step_ = 0;
};

std::vector<Tour::Step> tourSteps(Workbench& bench, const Controllers& all);

}  // namespace aotscope
