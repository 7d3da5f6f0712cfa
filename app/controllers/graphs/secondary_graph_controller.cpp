#include "controllers/graphs/secondary_graph_controller.h"

#include <QSplitter>

#include <algorithm>

namespace aotscope {

namespace {

struct MappedGraph {
    std::shared_ptr<const Graph> graph;
    GraphKind kind;
};

/// `levels`: lowered from the compiled graph; null: not computed.
LevelMap mapBetween(const CompileRecord& record, const std::vector<IrLevel>* levels, const MappedGraph& from,
                    const MappedGraph& to) {
    const auto isShown = [&](const IrLevel& level) { return level.lowered.graph == to.graph; };
    if (!levels || std::ranges::none_of(*levels, isShown)) return {record, *from.graph, from.kind, *to.graph, to.kind};
    const auto [kind, compiled] = compiledGraph(record);
    LevelMap map(record, *from.graph, from.kind, *compiled, kind);
    for (std::size_t i = 0; !isShown((*levels)[i]); ++i) map = map.through((*levels)[i + 1].lowered);
    return map;
}

}  // namespace

SecondaryGraphController::SecondaryGraphController(const Surroundings& around, GraphPane* pane)
    : Controller(around),
      beside_(pane),
      cameras_(
          pane_->view(), beside_->view(), [this] { return map(); }, nullptr) {
    beside_->setObjectName(QStringLiteral("beside"));
    beside_->view()->setObjectName(QStringLiteral("canvasBeside"));
    beside_->findChild<QTabBar*>()->setObjectName(QStringLiteral("graphTabsBeside"));
    beside_->hide();
    offerLevels();
    connect(beside_, &GraphPane::levelAsked, this, &SecondaryGraphController::askForLevel);
    for (BackgroundJob* job : {&job_, &mapping_})
        connect(job, &BackgroundJob::failed, this, &SecondaryGraphController::failed);
    connect(&job_, &BackgroundJob::finished, this, [this] {
        if (!beside_->layoutRunning()) beside_->view()->setNote({});
    });
    connect(beside_, &GraphPane::nodeSelected, this, &SecondaryGraphController::lead);
    connect(beside_, &GraphPane::graphChanged, this, &SecondaryGraphController::follow);
    connect(beside_, &GraphPane::layoutFinished, this, &SecondaryGraphController::follow);
}

void SecondaryGraphController::setRecord(std::shared_ptr<const CompileRecord> record) {
    record_ = std::move(record);
    job_.cancel();
    mapping_.cancel();
    levels_.reset();
    outdated_ = true;
    map_.reset();
    from_.reset();
    if (shown_) refresh();
}

void SecondaryGraphController::offerLevels() {
    beside_->offerLevels(other_ ? QStringList() : QStringList{tr("Core ATen"), tr("Prims")});
}

void SecondaryGraphController::compareWith(std::shared_ptr<const CompileRecord> other) {
    other_ = std::move(other);
    offerLevels();
    setRecord(record_);
    show(other_ != nullptr);
}

void SecondaryGraphController::show(bool shown) {
    shown_ = shown;
    beside_->setVisible(shown);
    if (auto* splitter = qobject_cast<QSplitter*>(beside_->parentWidget()); splitter && shown)
        splitter->setSizes({splitter->width() / 2, splitter->width() / 2});
    if (shown) refresh();
}

void SecondaryGraphController::refresh() {
    if (!record_) return;
    beside_->setAutomaticModules(pane_->automaticModules());
    const bool first = outdated_ && !beside_->graph();
    if (outdated_) beside_->setRecord(other_ ? other_ : record_);
    outdated_ = false;
    if (other_) beside_->showKind(selection_->kind());
    else if (first) beside_->showKind(record_->graph(GraphKind::source) ? GraphKind::source : GraphKind::functional);
    follow();
}

/// The levels are computed once for a run, on first request.
void SecondaryGraphController::askForLevel(int level) {
    const auto show = [this, level] {
        beside_->showLevel(level, (*levels_)[static_cast<std::size_t>(level) + 1].lowered.graph);
    };
    if (levels_) return show();
    beside_->view()->setNote(tr("Decomposing…"));
    job_.start<std::vector<IrLevel>>(
        tr("Decomposing"),
        [engine = engine_, graph = compiledGraph(*record_).second](const Progress&) { return engine->irLevels(graph); },
        [this, show](std::vector<IrLevel> levels) {
            levels_ = std::make_shared<const std::vector<IrLevel>>(std::move(levels));
            show();
        });
}

/// Null until computed; then follow() is called.
const LevelMap* SecondaryGraphController::map() {
    if (!record_ || !beside_->graph() || !selection_->graph()) return nullptr;
    if (from_ != selection_->graph() || to_ != beside_->graph()) startMapping();
    return map_.get();
}

/// Maps of large graphs take long.
void SecondaryGraphController::startMapping() {
    from_ = selection_->graph();
    to_ = beside_->graph();
    map_.reset();
    mapping_.start<std::shared_ptr<const LevelMap>>(
        tr("Comparing"),
        [from = MappedGraph{from_, selection_->kind()}, to = MappedGraph{to_, beside_->kind()}, record = record_,
         levels = levels_, ofRuns = other_ != nullptr](const Progress&) {
            return std::make_shared<const LevelMap>(ofRuns ? LevelMap::ofRuns(*from.graph, *to.graph)
                                                           : mapBetween(*record, levels.get(), from, to));
        },
        [this](std::shared_ptr<const LevelMap> map) {
            map_ = std::move(map);
            follow();
        });
}

void SecondaryGraphController::follow() {
    if (!shown_ || leading_) return;
    if (other_ && beside_->kind() != selection_->kind()) beside_->showKind(selection_->kind());
    const LevelMap* links = map();
    if (!links || beside_->layoutRunning()) return;
    const Node* selected = selection_->outermost();
    std::vector<NodeId> here = links->toB(selected ? selected->id() : kNoNode);
    for (const NodeId other : selection_->others())
        for (const NodeId node : links->toB(other)) here.push_back(node);
    beside_->select(here.empty() ? kNoNode : here.front(),
                    here.empty() ? std::vector<NodeId>() : std::vector<NodeId>(here.begin() + 1, here.end()));
    cameras_.follow(pane_->view());
    Q_EMIT followed();
}

/// Selecting a node in this pane selects what it comes from, or what it became, in the first.
void SecondaryGraphController::lead(NodeId node) {
    const LevelMap* links = map();
    if (!links) return;
    const auto& graph = beside_->graph();
    const std::vector<NodeId> there = links->toA(graph ? outermostOwner(*graph, node) : node);
    leading_ = true;
    selection_->select(there.empty() ? kNoNode : there.front());
    for (std::size_t i = 1; i < there.size(); ++i) selection_->toggle(there[i]);
    leading_ = false;
    beside_->select(node, {});
    cameras_.follow(beside_->view());
    Q_EMIT followed();
}

}  // namespace aotscope
