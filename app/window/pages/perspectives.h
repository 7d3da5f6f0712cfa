#pragma once

#include "controllers/settings.h"
#include "window/pages/dock_folding.h"

#include <QTabBar>
#include <QTimer>
#include <QToolButton>

namespace aotscope {

/// Shows the pages of the current perspective, as the user has arranged them; none beside the start page. Where the
/// user has arranged nothing, docks follow the size of the window.
class Perspectives : public QObject {
    Q_OBJECT

public:
    /// Call after all pages were added and before anything is restored: the docks are now in their default places. Only
    /// the start page is visible.
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

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// The docks of a perspective.
    struct Layout {
        QByteArray state;   ///< empty: never shown
        QSize window = {};  ///< for a state from the settings: the size that it was made for
        bool own = false;   ///< the user's, in every respect
        DockChoices choices = {}, arranged = {};

        bool isUsers() const { return own || !choices.empty(); }
    };
    void addSwitch();
    void watchUser();
    void takeOver();
    QToolButton* contractButton(QWidget* parent) const;
    /// Brings the dock that contains `page`, or is it, to the front.
    void bring(const Page& page);
    void apply();
    void showDefault();
    void adapt();
    void noteChoices();
    void remember();
    bool isSmallerThan(QSize window) const;
    /// Docks and bars that are shown on request, in every perspective.
    std::vector<QWidget*> onDemand() const;

    Pages* pages_;
    QMainWindow* window_;
    Settings* settings_;
    QTabBar* bar_;
    std::vector<QAction*> actions_;
    QByteArray default_;
    DockFolding* folding_;
    std::map<Perspective, Layout> layouts_;
    QByteArray pressed_;      ///< the docks when a mouse button went down on the window
    QTimer later_;            ///< until the docks follow another size
    bool arranging_ = false;  ///< docks are moved, not by the user
    bool alone_ = false;
};

}  // namespace aotscope
