#include "panels/graph_pane.h"

#include "canvas/colouring.h"
#include "canvas/network_graph.h"
#include "canvas/placements.h"
#include "canvas/text_zoom.h"
#include "record/run_map.h"
#include "support/names.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <functional>
#include <utility>

namespace aotscope {

std::pair<GraphKind, std::shared_ptr<const Graph>> compiledGraph(const CompileRecord& record) {
    const GraphKind kind = record.graph(GraphKind::joint) ? GraphKind::joint : GraphKind::inference;
    return {kind, record.graph(kind)};
}

GraphPane::GraphPane(QWidget* parent)
    : QWidget(parent),
      tabs_(new GraphTabs(this)),
      view_(new GraphView(this)),
      strip_(new CanvasStrip(this)),
      undo_(new QUndoStack(this)) {
    view_->setObjectName(QStringLiteral("canvas"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* tabs = new QHBoxLayout;
    tabs->addWidget(tabs_);
    tabs->addWidget(tabs_->others());
    tabs->addStretch(1);
    layout->addLayout(tabs);
    layout->addWidget(view_, 1);
    layout->addWidget(strip_);
    connect(tabs_, &GraphTabs::kindChosen, this, &GraphPane::showKind);
    connect(tabs_, &GraphTabs::networkChosen, this, [this] { showNetwork(view_->selectedNode()); });
    connect(tabs_, &GraphTabs::levelChosen, this, &GraphPane::levelAsked);
    connect(view_, &GraphView::nodeSelected, this, &GraphPane::nodeSelected);
    connect(view_, &GraphView::groupToggled, this, [this](int group, bool open) {
        const GroupTree& tree = *current().whole->groups;
        changeView(open ? tr("open %1").arg(tree[group].path) : tr("close %1").arg(tree[group].path),
                   toggled(tree, current().state, group, open), tree[group].key);
    });
    connect(view_, &GraphView::zoomed, this, &GraphPane::followZoom);
    connect(view_, &GraphView::cameraMoved, this, [this] { strip_->showZoom(view_->zoom() / usualZoom()); });
    connect(strip_, &CanvasStrip::depthChosen, this, &GraphPane::changeDepth);
    connect(strip_, &CanvasStrip::usualZoomChosen, view_, &GraphView::resetZoom);
    connect(&job_, &LayoutJob::finished, this, &GraphPane::onLayout);
}

void GraphPane::setRecord(std::shared_ptr<const CompileRecord> record) {
    record_ = std::move(record);
    job_.cancel();
    pictures_.clear();
    networkPicture_ = {};
    undo_->clear();
    if (choices_.setModel(toQString(record_->model.name))) camera_ = GraphView::Camera::fit;
    partition_ = record_->partition;
    before_.reset();
    const bool network = network_;
    network_ = false;
    tabs_->showRecord(*record_);
    if (record_->graphs.empty()) {
        graph_.reset();
        view_->showMessage(toQString(record_->error));
        refreshStrip();
        return;
    }
    if (network && partition_ && partition_->network) return showNetwork(view_->selectedNode());
    showKind(firstGraphOf(*record_, kind_));
}

void GraphPane::showKind(GraphKind kind) {
    if (record_ && record_->graph(kind)) showGraph(kind, record_->graph(kind));
}

void GraphPane::showGraph(GraphKind kind, std::shared_ptr<const Graph> graph) {
    tabs_->markKind(kind);
    take(kind, std::move(graph));
}

void GraphPane::offerLevels(const QStringList& titles) { tabs_->offerLevels(titles); }

void GraphPane::showLevel(int level, std::shared_ptr<const Graph> graph) {
    tabs_->markLevel(level);
    take(compiledGraph(*record_).first, std::move(graph));
}

void GraphPane::take(GraphKind kind, std::shared_ptr<const Graph> graph) {
    if (!network_ && graph == graph_ && view_->graph()) return;
    network_ = false;
    kind_ = kind;
    graph_ = std::move(graph);
    Picture& picture = pictures_[graph_.get()];
    picture.graph = graph_;
    showPicture();
}

void GraphPane::showNetwork(NodeId centre) {
    const auto joint = record_ ? record_->graph(GraphKind::joint) : nullptr;
    if (!joint || !partition_ || !partition_->network) return;
    tabs_->markNetwork();
    network_ = true;
    kind_ = GraphKind::joint;
    graph_ = joint;
    networkPicture_ = {joint, std::make_shared<const DrawnGraph>(drawNetwork(*joint, *partition_, centre)), {}, {}, {}};
    showPicture();
}

/// How the shown graph is drawn, wherever that happens.
LayoutJob::Draw GraphPane::drawing() const {
    const auto joint = record_->graph(GraphKind::joint);
    const auto partition = graph_ == joint ? partition_ : nullptr;
    return [graph = graph_, kind = kind_, record = record_, partition, before = before_, decoration = decoration_] {
        DrawnGraph drawn = drawGraph(*graph, kind, *record);
        if (partition) markPlacements(drawn, *graph, *partition, before.get());
        if (decoration) decoration(drawn, graph);
        return withGroups(std::move(drawn));
    };
}

const GraphPane::Picture& GraphPane::current() const {
    static const Picture nothing;
    const auto known = pictures_.find(graph_.get());
    return network_ ? networkPicture_ : known == pictures_.end() ? nothing : known->second;
}

/// What is to be shown is decided; its layout may still have to be made.
void GraphPane::showPicture() {
    Picture& picture = current();
    if (camera_ == GraphView::Camera::zoomed) camera_.reset();
    if (picture.layout) {
        job_.cancel();
        display();
        Q_EMIT graphChanged();
        Q_EMIT layoutFinished();
        return;
    }
    view_->setNote(tr("Laying out %1…").arg(toQString(counted(graph_->callCount(), "operation"))));
    picture.asked = true;
    asked_ = {markings_, view_->room()};
    if (picture.whole) job_.start(picture.whole, picture.state);
    else job_.start(drawing(), {choices_.of(kind_), automatic_ ? std::optional(asked_.room) : std::nullopt});
    Q_EMIT graphChanged();
    Q_EMIT layoutStarted();
}

void GraphPane::display() {
    const Picture& picture = current();
    const GraphView::Camera camera = camera_ ? *std::exchange(camera_, std::nullopt) : cameraForNext();
    displayed_ = {record_, graph_, kind_};
    if (toSelect_) view_->selectNext(*std::exchange(toSelect_, std::nullopt));
    view_->showGraph(picture.drawn, picture.layout, camera, anchor_);
    anchor_.clear();
    refreshStrip();
}

/// The camera stays where the same kind of graph was on the canvas before, and where the run before had the same nodes.
GraphView::Camera GraphPane::cameraForNext() {
    using Camera = GraphView::Camera;
    if (!view_->graph() || view_->graph()->network != network_) return Camera::fit;
    if (displayed_.record == record_) return displayed_.kind == kind_ ? Camera::keep : Camera::fit;
    const RunMap map(*displayed_.graph, *graph_);
    view_->renumber([&](NodeId node) { return map.of(node); });
    return Camera::hold;
}

std::shared_ptr<const DrawnGraph> GraphPane::remarked(const DrawnGraph& drawn,
                                                      const std::shared_ptr<const Graph>& graph) const {
    auto marked = std::make_shared<DrawnGraph>(drawn);
    if (graph == record_->graph(GraphKind::joint) && partition_)
        markPlacements(*marked, *graph, *partition_, before_.get());
    clearTints(*marked);
    if (decoration_) decoration_(*marked, graph);
    return marked;
}

void GraphPane::setPartition(std::shared_ptr<const Partition> partition, std::shared_ptr<const Partition> before) {
    partition_ = std::move(partition);
    before_ = std::move(before);
    const auto joint = record_ ? record_->graph(GraphKind::joint) : nullptr;
    if (!joint || !partition_) return;
    ++markings_;
    if (const auto known = pictures_.find(joint.get()); known != pictures_.end() && known->second.whole) {
        Picture& picture = known->second;
        picture.whole = remarked(*picture.whole, joint);
        if (picture.layout) picture.drawn = visibleGraph(picture.whole, picture.state);
        if (!network_ && graph_ == joint && picture.layout) view_->restyle(picture.drawn);
    }
    networkPicture_ = {};
    if (!network_) return;
    if (partition_->network) showNetwork(view_->selectedNode());
    else showKind(GraphKind::joint);
}

void GraphPane::setDecoration(Decoration decoration) {
    decoration_ = std::move(decoration);
    ++markings_;
    for (auto& [graph, picture] : pictures_) {
        if (!picture.whole) continue;
        picture.whole = remarked(*picture.whole, picture.graph);
        if (picture.layout) picture.drawn = visibleGraph(picture.whole, picture.state);
    }
    if (network_ || !graph_) return;
    if (const Picture& shown = pictures_[graph_.get()]; shown.layout) view_->restyle(shown.drawn);
}

void GraphPane::select(NodeId node, const std::vector<NodeId>& others) {
    const auto& network = networkPicture_.whole;
    if (network_ && node != kNoNode && network && !network->note.isEmpty() && !network->indexOf.contains(node) &&
        !job_.running()) {
        const auto joint = record_->graph(GraphKind::joint);
        DrawnGraph around = drawNetwork(*joint, *partition_, node);
        if (around.indexOf.contains(node)) {
            networkPicture_ = {joint, std::make_shared<const DrawnGraph>(std::move(around)), {}, {}, {}};
            showPicture();
        }
    }
    // Until the picture of another graph is there, its nodes are not on the canvas.
    if (displayed_.graph != graph_) {
        toSelect_ = node;
        return;
    }
    view_->select(node);
    view_->setAlsoSelected(others);
}

void GraphPane::cancelLayout() {
    if (!job_.running()) return;
    job_.cancel();
    asked_.room = view_->room();
    const auto whole = current().whole ? current().whole : drawing()();
    const ViewState state = current().whole ? current().state : choices_.of(kind_).value_or(opening(*whole));
    const auto seen = visibleGraph(whole, state);
    onLayout(seen,
             std::make_shared<const GraphLayout>(layoutSimply(*seen, tr("Layout cancelled: showing simple rows."))),
             whole, state);
}

void GraphPane::onLayout(std::shared_ptr<const DrawnGraph> seen, std::shared_ptr<const GraphLayout> layout,
                         std::shared_ptr<const DrawnGraph> whole, const ViewState& state) {
    Picture& picture = current();
    if (!picture.asked) return;
    // The window may have another size by now.
    if (opensByItself() && asked_.room != view_->room()) {
        asked_.room = view_->room();
        return job_.start([whole = std::move(whole)] { return whole; }, {{}, asked_.room});
    }
    picture.asked = false;
    picture.layout = std::move(layout);
    picture.state = state;
    if (opensByItself()) choices_.remember(kind_, state);
    bool current = !picture.whole || picture.whole == whole;
    if (!picture.whole) picture.whole = std::move(whole);
    // The boxes may have been marked or coloured anew while they were laid out.
    if (!network_ && markings_ != asked_.markings) {
        picture.whole = remarked(*picture.whole, graph_);
        current = false;
    }
    picture.drawn = current ? std::move(seen) : visibleGraph(picture.whole, state);
    display();
    Q_EMIT layoutFinished();
    if (toReveal_ != kNoNode) reveal(toReveal_);
}

}  // namespace aotscope
