#pragma once

#include "controllers/settings.h"
#include "window/pages/pages.h"

#include <QTabBar>
#include <QToolButton>

namespace aotscope {

/// Shows the pages of the current perspective, as the user has arranged them; none beside the start page.
class Perspectives : public QObject {
    Q_OBJECT

public:
    /// Call after all pages were added and before anything is restored: the docks are now in their default places.
    Perspectives(Pages* pages, QMainWindow* window, Settings* settings);

    Perspective current() const { return pages_->perspective(); }
    void show(Perspective perspective);
    /// One for each perspective; the current one is checked.
    const std::vector<QAction*>& actions() const { return actions_; }
    /// The switch: a segment for each.
    QTabBar* bar() const { return bar_; }

    /// Only the start page is visible.
    void setAlone(bool alone);

    /// The argument for setArrangement(), of the current perspective.
    Arrangement arrangement() const;
    void setArrangement(const Arrangement& arrangement);
    /// The default arrangement of every perspective.
    void reset();

    void restore();
    void save();

Q_SIGNALS:
    void changed();

private:
    void addSwitch();
    QToolButton* contractButton(QWidget* parent) const;
    /// Brings the dock that contains `page`, or is it, to the front.
    void bring(const Page& page);
    void apply();
    void arrangeByDefault();
    /// Docks and bars that are shown on request, in every perspective.
    std::vector<QWidget*> onDemand() const;

    Pages* pages_;
    QMainWindow* window_;
    Settings* settings_;
    QTabBar* bar_;
    std::vector<QAction*> actions_;
    QByteArray default_;
    std::map<Perspective, QByteArray> states_;  ///< of the docks, where visited
    bool alone_ = false;
};

}  // namespace aotscope
