#include "controllers/graphs/canvas_controller.h"

#include "canvas/layout/reach.h"
#include "controllers/make_action.h"
#include "support/names.h"

namespace aotscope {

namespace {

using Index = std::size_t;

/// All boxes except those of `chosen`, their subgraphs, and the operators that run them.
QSet<NodeId> allBut(const DrawnGraph& whole, const std::vector<NodeId>& chosen) {
    std::vector<bool> kept(whole.nodes.size(), false), around(whole.nodes.size(), false);
    for (const NodeId id : chosen) {
        const auto box = whole.indexOf.find(id);
        if (box == whole.indexOf.end()) continue;
        kept[static_cast<Index>(box->second)] = true;
        for (int i = whole.ownerOf(box->second); i >= 0; i = whole.ownerOf(i)) around[static_cast<Index>(i)] = true;
    }
    QSet<NodeId> rest;
    for (Index i = 0; i < whole.nodes.size(); ++i) {
        const int owner = whole.ownerOf(static_cast<int>(i));
        if (owner >= 0 && kept[static_cast<Index>(owner)]) kept[i] = true;
        if (!kept[i] && !around[i] && whole.nodes[i].id != kNoNode) rest.insert(whole.nodes[i].id);
    }
    return rest;
}

}  // namespace

CanvasController::CanvasController(const Surroundings& around) : Controller(around) {
    makeModuleActions();
    makeHideActions();
    makeFollowActions();
    makeBookmarkActions();
    connect(selection_, &Selection::changed, this, [this] {
        followed_ = 0;
        enableWhatApplies();
    });
    connect(pane_, &GraphPane::graphChanged, this, &CanvasController::enableWhatApplies);
    connect(pane_, &GraphPane::layoutFinished, this, &CanvasController::enableWhatApplies);
    enableWhatApplies();
}

void CanvasController::makeModuleActions() {
    toggle_ = makeAction(this, QStringLiteral("actionToggleModule"), tr("&Open or Close Module"), {tr("G")},
                         tr("Opens the selected module in place, or closes the one around the selection"),
                         [this] { toggleModule(false); });
    alike_ = makeAction(this, QStringLiteral("actionToggleAlike"), tr("Open or Close All &Like It"), {tr("Shift+G")},
                        tr("Opens or closes every module with the same operations"), [this] { toggleModule(true); });
    modules_ = {toggle_,
                alike_,
                makeAction(this, QStringLiteral("actionOpenLevel"), tr("Open One More &Level"), {tr("E")},
                           tr("Opens the outermost closed modules"), [this] { pane_->changeDepth(1); }),
                makeAction(this, QStringLiteral("actionCloseLevel"), tr("&Close One Level"), {tr("Q")},
                           tr("Closes the innermost open modules"), [this] { pane_->changeDepth(-1); }),
                makeAction(this, QStringLiteral("actionOpenAll"), tr("Open &All"), {tr("Shift+E")},
                           tr("Shows every operation"), [this] { pane_->showDepth(1'000'000); }),
                makeAction(this, QStringLiteral("actionCloseAll"), tr("Close A&ll"), {tr("Shift+Q")},
                           tr("Shows the outermost modules as boxes"), [this] { pane_->showDepth(1); })};
    for (int depth = 2; depth <= 4; ++depth)
        modules_.push_back(makeAction(this, {}, tr("Open to Depth &%1").arg(depth), {},
                                      tr("Shows modules down to this depth"),
                                      [this, depth] { pane_->showDepth(depth); }));
}

void CanvasController::makeHideActions() {
    hiding_ = {makeAction(this, QStringLiteral("actionHide"), tr("&Hide Selection"), {tr("Shift+H")},
                          tr("Hides the selected boxes"), [this] { hide(); }),
               makeAction(this, QStringLiteral("actionShowOnly"), tr("Show &Only Selection"), {tr("Shift+O")},
                          tr("Hides all other boxes"), [this] { showOnly(); }),
               makeAction(this, QStringLiteral("actionShowAll"), tr("&Show All"), {tr("Shift+A")},
                          tr("Shows all hidden boxes"), [this] { showAll(); })};
}

void CanvasController::makeFollowActions() {
    following_ = {
        makeAction(this, QStringLiteral("actionInputs1"), tr("Mark More &Inputs"), {tr("Alt+Up")},
                   tr("Marks the inputs of the selected node, one step further each time"), [this] { follow(true); }),
        makeAction(this, QStringLiteral("actionUsers1"), tr("Mark More &Users"), {tr("Alt+Down")},
                   tr("Marks the users of the selected node, one step further each time"), [this] { follow(false); }),
        makeAction(this, QStringLiteral("actionFanIn"), tr("Mark &All Inputs"), {tr("Shift+F")},
                   tr("Marks all direct and indirect inputs of the selected node"), [this] { markReach(true); }),
        makeAction(this, QStringLiteral("actionFanOut"), tr("Mark All U&sers"), {tr("Shift+U")},
                   tr("Marks all direct and indirect users of the selected node"), [this] { markReach(false); }),
        makeAction(this, QStringLiteral("actionPaths"), tr("Mark &Paths Between Two Nodes"), {tr("Y")},
                   tr("Marks all paths between the selected node and the Ctrl+clicked one"), [this] { markPaths(); })};
}

void CanvasController::makeBookmarkActions() {
    for (int digit = 1; digit <= 9; ++digit) {
        const QString key = QString::number(digit);
        places_.push_back(makeAction(this, QStringLiteral("actionGoTo") + key, tr("Go to Place &%1").arg(digit), {key},
                                     tr("Shows the place saved with Ctrl+%1").arg(digit),
                                     [this, digit] { goTo(digit); }));
        remembering_.push_back(makeAction(this, QStringLiteral("actionRemember") + key,
                                          tr("Save as Place &%1").arg(digit), {QKeySequence(u"Ctrl+" + key)},
                                          tr("Saves the graph, its open modules and the visible part"),
                                          [this, digit] { remember(digit); }));
    }
    minimap_ = makeToggle(this, QStringLiteral("actionMinimap"), tr("&Minimap"), {tr("Shift+M")},
                          tr("Shows the whole graph in a corner of the canvas"), [this](bool shown) {
                              settings_->setMinimap(shown);
                              pane_->view()->showMinimap(shown);
                          });
    minimap_->setChecked(settings_->minimap());
    pane_->view()->showMinimap(settings_->minimap());
    automatic_ = makeToggle(this, QStringLiteral("actionAutomaticModules"), tr("&Automatic Modules"), {tr("Shift+N")},
                            tr("Opens modules as far as text can be read when a graph is opened, and opens and closes "
                               "them as you zoom"),
                            [this](bool automatic) {
                                settings_->setAutomaticModules(automatic);
                                pane_->setAutomaticModules(automatic);
                            });
    automatic_->setChecked(settings_->automaticModules());
    pane_->setAutomaticModules(settings_->automaticModules());
}

void CanvasController::addActionsTo(QMenu* menu) {
    const auto submenu = [&](const QString& title, const Actions& actions) {
        QMenu* inner = menu->addMenu(title);
        for (QAction* action : actions) inner->addAction(action);
        return inner;
    };
    submenu(tr("M&odules"), modules_);
    submenu(tr("&Hide and Show"), hiding_);
    submenu(tr("&Follow Edges"), following_);
    QMenu* places = submenu(tr("P&laces"), places_);
    places->addSeparator();
    for (QAction* action : remembering_) places->addAction(action);
    menu->addAction(minimap_);
    menu->addAction(automatic_);
}

void CanvasController::addSelectionActionsTo(QMenu* menu) {
    menu->addSeparator();
    for (QAction* action : {toggle_, alike_}) menu->addAction(action);
    menu->addSeparator();
    for (QAction* action : hiding_) menu->addAction(action);
    menu->addSeparator();
    for (QAction* action : following_) menu->addAction(action);
}

void CanvasController::enableWhatApplies() {
    const auto whole = pane_->wholeGraph();
    const bool grouped = whole && hasGroups(*whole) && !pane_->showsNetwork();
    for (QAction* action : modules_) action->setEnabled(grouped);
    for (QAction* action : hiding_) action->setEnabled(whole && whole->groups && !pane_->showsNetwork());
    for (QAction* action : following_) action->setEnabled(selection_->object() != nullptr);
    following_.back()->setEnabled(selection_->object() && !selection_->others().empty());
}

void CanvasController::toggleModule(bool alike) {
    const int selected = pane_->view()->selectedGroup();
    const auto whole = pane_->wholeGraph();
    if (selected < 0 || !whole || !whole->groups)
        return Q_EMIT said(tr("Select a module, or a node in a module, first."));
    const GroupTree& tree = *whole->groups;
    const int group = tree.opening(selected);
    const ViewState state = pane_->viewState();
    const bool open = state.collapsed.contains(tree[group].key);
    const QString what = (open ? tr("open %1") : tr("close %1")).arg(tree.fullName(group));
    pane_->changeView(what, alike ? toggledAlike(tree, state, group, open) : toggled(tree, state, group, open),
                      tree[group].key);
}

/// The selected nodes, or all nodes in the selected group.
std::vector<NodeId> CanvasController::chosen() const {
    std::vector<NodeId> nodes;
    if (selection_->node() != kNoNode) {
        nodes = selection_->others();
        nodes.push_back(selection_->node());
        return nodes;
    }
    const auto whole = pane_->wholeGraph();
    const int group = pane_->view()->selectedGroup();
    if (!whole || !whole->groups || group < 0) return nodes;
    for (const auto& node : whole->nodes)
        if (node.id != kNoNode && whole->groups->isWithin(node.innermost(), group)) nodes.push_back(node.id);
    return nodes;
}

void CanvasController::hide() {
    ViewState state = pane_->viewState();
    const auto nodes = chosen();
    if (nodes.empty()) return Q_EMIT said(tr("Select the boxes to hide first."));
    for (const NodeId id : nodes) state.hidden.insert(id);
    pane_->changeView(tr("hide %1").arg(toQString(counted(nodes.size(), "box"))), state);
}

void CanvasController::showOnly() {
    const auto nodes = chosen();
    const auto whole = pane_->wholeGraph();
    if (nodes.empty() || !whole) return Q_EMIT said(tr("Select the boxes to show first."));
    ViewState state = pane_->viewState();
    state.hidden = allBut(*whole, nodes);
    pane_->changeView(tr("show only %1").arg(toQString(counted(nodes.size(), "box"))), state);
}

void CanvasController::showAll() {
    ViewState state = pane_->viewState();
    state.hidden.clear();
    pane_->changeView(tr("show all"), state);
}

/// Nodes of the selected node's graph, which may be a subgraph.
void CanvasController::mark(std::vector<NodeId> nodes, const QString& what) {
    if (const auto run = selection_->run())
        for (NodeId& node : nodes) node += run->firstId;
    pane_->view()->setAlsoSelected(nodes);
    Q_EMIT said(what);
}

void CanvasController::follow(bool inputs) {
    const Node* node = selection_->object();
    if (!node) return;
    if ((followed_ > 0) == inputs) followed_ = 0;
    followed_ += inputs ? -1 : 1;
    const int depth = std::abs(followed_);
    const auto found = inputs ? inputsOf(*node, depth) : usersOf(*node, depth);
    const QString nodes = toQString(counted(found.size(), "node")),
                  steps = toQString(counted(static_cast<std::size_t>(depth), "step"));
    mark(found,
         inputs ? tr("Inputs: %1, up to %2 away").arg(nodes, steps) : tr("Users: %1, up to %2 away").arg(nodes, steps));
}

void CanvasController::markReach(bool inputs) {
    const Node* node = selection_->object();
    if (!node) return;
    const auto found = inputs ? inputsOf(*node, kAnyDepth) : usersOf(*node, kAnyDepth);
    mark(found, inputs ? tr("Inputs: %1").arg(toQString(counted(found.size(), "node")))
                       : tr("Users: %1").arg(toQString(counted(found.size(), "node"))));
}

void CanvasController::markPaths() {
    const Node* a = selection_->object();
    const Node* b =
        a && !selection_->others().empty() ? findNode(*selection_->graph(), selection_->others().back()) : nullptr;
    if (!b) return Q_EMIT said(tr("Select two nodes first; Ctrl+click the second one."));
    const auto found = pathsBetween(*a, *b);
    mark(found, found.empty() ? tr("There is no path between the two nodes.")
                              : tr("Paths between the two nodes: %1").arg(toQString(counted(found.size(), "node"))));
}

Place CanvasController::place() const {
    return {pane_->kind(), selection_->node(), pane_->viewState(), pane_->view()->position()};
}

void CanvasController::show(const Place& place, const QString& what) {
    if (selection_->graph() && findNode(*selection_->graph(), place.node)) selection_->select(place.node);
    if (place.boxes) pane_->changeView(what, *place.boxes);
    const auto look = [this, place] {
        if (pane_->kind() == place.graph) pane_->view()->goTo(place.position);
    };
    if (!pane_->layoutRunning()) return look();
    // Connected last: others handle a new picture first.
    connect(pane_, &GraphPane::layoutFinished, this, look, Qt::SingleShotConnection);
}

void CanvasController::remember(int digit) {
    if (!pane_->wholeGraph()) return;
    bookmarks_[digit] = place();
    Q_EMIT said(tr("Saved place %1. Press %1 to go back to it.").arg(digit));
    Q_EMIT bookmarksChanged();
}

void CanvasController::goTo(int digit) {
    const auto bookmark = bookmarks_.find(digit);
    if (bookmark == bookmarks_.end())
        return Q_EMIT said(tr("Place %1 is not saved yet; press Ctrl+%1 to save it.").arg(digit));
    const Place place = bookmark->second;
    pane_->showKind(place.graph);
    if (pane_->kind() != place.graph)
        return Q_EMIT said(tr("Place %1 is in the %2 graph, which this run does not have.")
                               .arg(digit)
                               .arg(titleOf(place.graph).toLower()));
    show(place, tr("go to place %1").arg(digit));
}

}  // namespace aotscope
