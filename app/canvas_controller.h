#pragma once

#include "panels/graph_pane.h"
#include "selection.h"
#include "settings.h"

#include <QAction>
#include <QMenu>
#include <array>
#include <optional>

namespace aotscope {

/// What a person does with the picture of a graph: opens and closes modules, hides boxes, follows edges, remembers
/// places.
class CanvasController : public QObject {
    Q_OBJECT

public:
    CanvasController(GraphPane* pane, Selection* selection, Settings* settings, QObject* parent);

    /// Submenus for modules, for hiding, for following edges, for bookmarks.
    void addActionsTo(QMenu* menu);
    /// What the menu of the canvas offers for what is selected.
    void addSelectionActionsTo(QMenu* menu);

private:
    struct Bookmark {
        GraphKind kind = GraphKind::joint;
        ViewState state;
        NodeId node = kNoNode;
        GraphView::Position position;
    };
    using Actions = std::vector<QAction*>;

    void makeModuleActions();
    void makeHideActions();
    void makeFollowActions();
    void makeBookmarkActions();
    void enableWhatApplies();

    void toggleModule(bool alike);
    void changeDepth(int step);
    void showDepth(int depth);
    void hide();
    void showOnly();
    void showAll();
    std::vector<NodeId> chosen() const;
    void follow(bool inputs);
    void markReach(bool inputs);
    void markPaths();
    void mark(const std::vector<NodeId>& nodes, const QString& what);
    void remember(int digit);
    void goTo(int digit);

    GraphPane* pane_;
    Selection* selection_;
    Settings* settings_;
    Actions modules_, hiding_, following_, places_, remembering_;
    QAction *minimap_ = nullptr, *toggle_ = nullptr, *alike_ = nullptr;
    std::array<std::optional<Bookmark>, 10> bookmarks_;
    std::optional<GraphView::Position> wanted_;  ///< when the layout is there
    int followed_ = 0;                           ///< steps from the selected node, up if negative

Q_SIGNALS:
    /// A sentence for the status bar.
    void said(const QString& sentence);
};

}  // namespace aotscope
