#include "controllers/graphs/module_controller.h"

#include "canvas/visible.h"
#include "controllers/make_action.h"
#include "session/engine.h"

#include <algorithm>
#include <span>
#include <utility>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr double kFarthest = 0.25;  ///< zoom that shows a module as a whole; a larger one is shown in part
constexpr double kMargin = 24;      ///< around it, in pixels

/// Including the groups around it.
ViewState withOpen(const GroupTree& tree, ViewState state, int group) {
    std::vector<int> around;
    for (; group > 0; group = tree[group].parent) around.push_back(group);
    for (auto outer = around.rbegin(); outer != around.rend(); ++outer)
        if (state.collapsed.contains(tree[*outer].key)) state = toggled(tree, state, *outer, true);
    return state;
}

bool isSeenOpen(const GroupTree& tree, const ViewState& state, int group) {
    for (; group > 0; group = tree[group].parent)
        if (state.collapsed.contains(tree[group].key)) return false;
    return true;
}

}  // namespace

ModuleController::ModuleController(const Surroundings& around, CanvasController* canvas)
    : Controller(around), canvas_(canvas), panel_(new ModulePanel(window_)), menu_(new QMenu(panel_)) {
    makeActions();
    connect(panel_, &ModulePanel::chosen, this, &ModuleController::choose);
    connect(panel_, &ModulePanel::toggled, this, [this](int module) { setOpen(module, !isOpen(module)); });
    connect(panel_, &ModulePanel::menuAsked, this, &ModuleController::showMenu);
    connect(selection_, &Selection::changed, this, &ModuleController::followSelection);
    // A clicked closed module is no node: nothing may be selected before or after it.
    connect(pane_, &GraphPane::nodeSelected, this, &ModuleController::followCanvas, Qt::QueuedConnection);
    connect(pane_, &GraphPane::graphChanged, this, &ModuleController::build);
}

void ModuleController::makeActions() {
    const auto add = [this](const char* name, const QString& text, const QString& tip,
                            const std::function<void(int)>& act) {
        QAction* action = makeAction(this, QLatin1String(name), text, {}, tip, [this, act] { act(panel_->current()); });
        menu_->addAction(action);
        return action;
    };
    select_ = add("moduleSelect", tr("&Select Operations"), tr("Selects the operations of the module"),
                  [this](int module) { choose(module); });
    open_ = add("moduleOpen", tr("&Open in Graph"), tr("Shows what is in the module"),
                [this](int module) { setOpen(module, true); });
    close_ = add("moduleClose", tr("&Close in Graph"), tr("Shows the module as one box"),
                 [this](int module) { setOpen(module, false); });
    add("moduleOnly", tr("Show O&nly This"), tr("Hides all other boxes"), [this](int module) {
        choose(module);
        canvas_->showOnly();
    });
    add("moduleAll", tr("Show &All"), tr("Shows all hidden boxes"), [this](int) { canvas_->showAll(); });
    menu_->addSeparator();
    add("moduleExpandAll", tr("&Expand All"), tr("Opens the whole tree"), [this](int) { panel_->expandAll(); });
    add("moduleCollapseAll", tr("Co&llapse All"), tr("Closes the whole tree"), [this](int) { panel_->collapseAll(); });
    menu_->addSeparator();
    menu_->addActions(panel_->view()->actions());
}

// --- what is shown ---

void ModuleController::setRun(std::shared_ptr<const CompileRecord> record, bool whatIf, const TimingResult* timing,
                              const std::string& device) {
    if (!record_ || !record || record_->graphs != record->graphs) times_.reset();  // measured times belong to its nodes
    timing_ = timing ? std::optional(*timing) : std::nullopt;
    device_ = device;
    setPartitioned(std::move(record), whatIf);
    findTimes();
}

void ModuleController::setPartitioned(std::shared_ptr<const CompileRecord> record, bool whatIf) {
    record_ = std::move(record);
    whatIf_ = whatIf;
    build();
}

/// Runs as a job of its own, because it calibrates the machine the first time.
void ModuleController::findTimes() {
    timesJob_.cancel();
    if (!record_ || (!record_->partition && !record_->graph(GraphKind::inference))) return;
    timesJob_.start<std::shared_ptr<const NodeTimes>>(
        tr("Times of modules"),
        [engine = engine_, device = device_, timing = timing_, costs = record_->costs](const Progress&) {
            auto times = std::make_shared<NodeTimes>(engine->machine(device), costs);
            if (timing) times->learn(*timing);
            return times;
        },
        [this](std::shared_ptr<const NodeTimes> times) {
            times_ = std::move(times);
            build();
        });
}

void ModuleController::build() {
    job_.cancel();
    const auto& graph = pane_->graph();
    if (!record_ || !graph) return show(nullptr);
    job_.start<std::shared_ptr<const ModuleTree>>(
        tr("Modules"),
        [sources = ModuleSources{record_, graph, pane_->kind(), times_}](const Progress&) {
            return std::make_shared<const ModuleTree>(moduleTree(sources));
        },
        [this](std::shared_ptr<const ModuleTree> tree) { show(std::move(tree)); });
}

void ModuleController::show(std::shared_ptr<const ModuleTree> tree) {
    tree_ = std::move(tree);
    panel_->setTree(tree_, record_ ? toQString(record_->model.name) : QString(), tree_ ? note(*tree_) : QString());
    // A module chosen in another graph stays marked while the selection is inside it.
    const int home = moduleOfSelection(), marked = panel_->current();
    if (home < 0 || marked < 0 || !tree_->isWithin(home, marked)) follow();
    if (selected() > 0) Q_EMIT selectedChanged();
}

QString ModuleController::note(const ModuleTree& tree) const {
    QStringList notes;
    if (tree.modules.size() < 2) notes << tr("The program names no modules.");
    if (tree.basis == TimeBasis::estimated) notes << tr("Times are estimated; Ctrl+T measures them.");
    if (tree.basis == TimeBasis::unreliable) notes << capitalized(toQString(times_->caution())) + u'.';
    if (whatIf_) notes << tr("Saved values and times are those of What If.");
    return notes.join(u' ');
}

// --- selection ---

/// The root is the whole model: it selects nothing.
void ModuleController::choose(int module) {
    if (!tree_ || module < 0) return;
    const std::vector<NodeId> nodes = module == 0 ? std::vector<NodeId>() : tree_->operationsIn(module);
    const bool known = !nodes.empty() && selection_->node() == nodes.front() &&
                       std::ranges::equal(selection_->others(), std::span(nodes).subspan(1));
    choosing_ = true;
    chosen_ = module;
    if (!known) selection_->selectAll(nodes);
    choosing_ = false;
    if (known || nodes.empty()) Q_EMIT selectedChanged();  // the selection is the same
    look(module);
}

int ModuleController::selected() const {
    if (!tree_) return -1;
    if (chosen_ >= 0) return chosen_ < static_cast<int>(tree_->modules.size()) ? chosen_ : -1;
    return selection_->node() == kNoNode ? moduleOfSelection() : -1;
}

/// The module of the selected node or closed box; -1: none.
int ModuleController::moduleOfSelection() const {
    if (!tree_) return -1;
    if (const Node* node = selection_->outermost()) {
        const auto home = tree_->moduleOf.find(node->id());
        return home == tree_->moduleOf.end() ? -1 : home->second;
    }
    const auto whole = pane_->wholeGraph();
    int module = -1;
    // Parts of a large module are not modules.
    for (int group = pane_->view()->selectedGroup(); whole && whole->groups && group > 0 && module < 0;
         group = (*whole->groups)[group].parent)
        module = tree_->byPath((*whole->groups)[group].path);
    return module;
}

void ModuleController::followSelection() {
    if (!choosing_) chosen_ = -1;
    follow();
}

/// A click may choose one of the selected nodes, or a closed module: the selection stays the same.
void ModuleController::followCanvas() {
    follow();
    if (std::exchange(chosen_, -1) >= 0 || selection_->node() == kNoNode) Q_EMIT selectedChanged();
}

void ModuleController::follow() {
    if (!choosing_ && tree_) panel_->mark(moduleOfSelection());
}

/// Scrolls to the boxes of a module, or to the closed module that contains them.
void ModuleController::look(int module) {
    GraphView* view = pane_->view();
    if (!view->graph() || !view->layout() || module == 0 || pane_->layoutRunning()) return;
    QRectF place;
    for (const NodeId node : tree_->operationsIn(module))
        if (const auto box = view->graph()->indexOf.find(node); box != view->graph()->indexOf.end())
            place |= view->layout()->boxes[static_cast<Index>(box->second)];
    const QRectF seen = view->mapToScene(view->viewport()->rect()).boundingRect();
    if (place.isNull() || seen.contains(place)) return;
    place.adjust(-kMargin, -kMargin, kMargin, kMargin);
    const double zoom = view->position().zoom;
    const double fitting = zoom * std::min(seen.width() / place.width(), seen.height() / place.height());
    const double wanted = std::min(zoom, std::max(fitting, kFarthest));
    // If it is too large, shows its beginning.
    const double height = std::min(place.height(), seen.height() * zoom / wanted);
    view->goTo({{place.center().x(), place.top() + height / 2}, wanted});
}

// --- modules of the graph ---

/// The calls of a module that have a frame.
std::vector<int> ModuleController::groupsOf(int module) const {
    std::vector<int> groups;
    const auto whole = pane_->wholeGraph();
    if (!tree_ || module <= 0 || !whole || !whole->groups || pane_->showsNetwork()) return groups;
    for (Index group = 1; group < whole->groups->size(); ++group)
        if (whole->groups->groups[group].kind == ModuleGroup::Kind::module &&
            whole->groups->groups[group].path == (*tree_)[module].path)
            groups.push_back(static_cast<int>(group));
    return groups;
}

bool ModuleController::isOpen(int module) const {
    const ViewState state = pane_->viewState();
    const auto whole = pane_->wholeGraph();
    return std::ranges::all_of(groupsOf(module), [&](int group) { return isSeenOpen(*whole->groups, state, group); });
}

void ModuleController::setOpen(int module, bool open) {
    const std::vector<int> groups = groupsOf(module);
    if (groups.empty()) return;
    const GroupTree& tree = *pane_->wholeGraph()->groups;
    ViewState state = pane_->viewState();
    for (const int group : groups) state = open ? withOpen(tree, state, group) : toggled(tree, state, group, false);
    const QString path = tree[groups.front()].path;
    pane_->changeView((open ? tr("open %1") : tr("close %1")).arg(path), state, tree[groups.front()].key);
}

void ModuleController::showMenu(int module, const QPoint& place) {
    const bool framed = !groupsOf(module).empty();
    select_->setEnabled(module > 0);
    open_->setEnabled(framed && !isOpen(module));
    close_->setEnabled(framed && isOpen(module));
    menu_->popup(place);
}

}  // namespace aotscope
