#pragma once

#include "controllers/controller.h"
#include "controllers/sessions/session_view.h"

#include <QAction>
#include <QMenu>

namespace aotscope {

/// Actions on the picture of a graph: open and close modules, hide boxes, follow edges, bookmark places.
class CanvasController : public Controller {
    Q_OBJECT

public:
    explicit CanvasController(const Surroundings& around);

    /// Submenus for modules, for hiding, for following edges, for bookmarks.
    void addActionsTo(QMenu* menu);
    /// Actions for the selected nodes, for the menu of the canvas.
    void addSelectionActionsTo(QMenu* menu);

    /// The place that is shown now.
    Place place() const;
    /// Restores the open modules and hidden boxes of a place in the shown graph, and looks at it as soon as the picture
    /// is ready. `what`: title of the undo step.
    void show(const Place& place, const QString& what);
    const Bookmarks& bookmarks() const { return bookmarks_; }
    void setBookmarks(Bookmarks bookmarks) { bookmarks_ = std::move(bookmarks); }

    /// Hides all boxes but the selected ones.
    void showOnly();
    void showAll();

private:
    using Actions = std::vector<QAction*>;

    void makeModuleActions();
    void makeHideActions();
    void makeFollowActions();
    void makeBookmarkActions();
    void enableWhatApplies();

    void toggleModule(bool alike);
    void hide();
    std::vector<NodeId> chosen() const;
    void follow(bool inputs);
    void markReach(bool inputs);
    void markPaths();
    void mark(std::vector<NodeId> nodes, const QString& what);
    void remember(int digit);
    void goTo(int digit);

    Actions modules_, hiding_, following_, places_, remembering_;
    QAction *minimap_ = nullptr, *automatic_ = nullptr, *toggle_ = nullptr, *alike_ = nullptr;
    Bookmarks bookmarks_;
    int followed_ = 0;  ///< steps from the selected node, up if negative

Q_SIGNALS:
    void bookmarksChanged();
};

}  // namespace aotscope
