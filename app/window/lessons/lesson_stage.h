#pragma once

#include "window/lessons/lesson.h"
#include "window/workbench.h"

#include <QRect>

namespace aotscope {

struct Controllers;

/// The window, as lessons use it: what they do in it, and the parts that they point at.
class LessonStage {
public:
    LessonStage(Workbench& bench, const Controllers& all) : bench_(bench), all_(all) {}

    /// Starts an action. Throws Error if the window does not have what it is about.
    void start(const LessonAction& action);
    enum class State : std::uint8_t { working, done, failed };
    State stateOf(const LessonAction& action) const;
    /// Whether an action can be started now.
    bool isReadyFor(const LessonAction& action) const;

    /// Brings a part of the window to the front; false: there is none of this name.
    bool show(const QString& target);
    /// Where it is in the window; empty: nowhere.
    QRect placeOf(const QString& target) const;
    /// The boxes of the graph that are in view, in the window.
    QList<QRect> boxes() const;
    /// The widget that is, or contains, the part; null: none.
    QWidget* widgetOf(const QString& target) const;
    /// The first fact that does not hold for the shown run, with the partition of What If; empty: all hold.
    QString whatFails(const std::vector<LessonFact>& facts) const;

private:
    void openProgram(const QString& code, const QString& inputs);
    void showGraph(const QString& kind);
    void showPass(const QString& pass);
    void selectLargest(const QString& query);
    void resetOptions();
    QRect inView(const QRectF& box) const;
    QRect boxOfNode() const;
    bool busy() const;

    Workbench& bench_;
    const Controllers& all_;
};

}  // namespace aotscope
