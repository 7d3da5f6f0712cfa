#pragma once

#include "controllers/settings.h"
#include "window/pages/pages.h"

#include <QTabBar>
#include <QToolButton>

namespace aotscope {

/// Which of the window's pages are there now: those of the perspective, as its person has arranged them; none beside
/// the start page.
class Perspectives : public QObject {
    Q_OBJECT

public:
    /// Call when all pages have been added and nothing has been restored yet: where the docks are now is the default.
    Perspectives(Pages* pages, QMainWindow* window, Settings* settings);

    Perspective current() const { return pages_->perspective(); }
    void show(Perspective perspective);
    /// One for each perspective; of them the current one is checked.
    const std::vector<QAction*>& actions() const { return actions_; }
    /// The switch: a segment for each.
    QTabBar* bar() const { return bar_; }

    /// The start page is alone in the window.
    void setAlone(bool alone);

    /// What setArrangement() takes, of the current perspective.
    Arrangement arrangement() const;
    void setArrangement(const Arrangement& arrangement);
    /// Every perspective as it is when nobody has changed it.
    void reset();

    void restore();
    void save();

Q_SIGNALS:
    void changed();

private:
    void addSwitch();
    QToolButton* contractButton(QWidget* parent) const;
    /// Brings the dock that `page` is in, or is, to the front.
    void bring(const Page& page);
    void apply();
    void arrangeByDefault();
    /// Docks and bars that are there when they are asked for, in every perspective.
    std::vector<QWidget*> onDemand() const;

    Pages* pages_;
    QMainWindow* window_;
    Settings* settings_;
    QTabBar* bar_;
    std::vector<QAction*> actions_;
    QByteArray default_;
    std::map<Perspective, QByteArray> states_;  ///< of the docks, where a person has been
    bool alone_ = false;
};

}  // namespace aotscope
