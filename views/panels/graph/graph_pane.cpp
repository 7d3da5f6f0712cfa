#include "panels/graph/graph_pane.h"

#include "canvas/layout/network_graph.h"
#include "canvas/subgraph_boxes.h"
#include "canvas/view/text_zoom.h"
#include "ir/subgraphs.h"
#include "models/release.h"
#include "panels/elided_label.h"
#include "support/names.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <QtConcurrent>
#include <utility>

namespace aotscope {

namespace {

constexpr std::size_t kManyBoxes = 5000;  ///< marking more of them would block the window

}  // namespace

std::pair<GraphKind, std::shared_ptr<const Graph>> compiledGraph(const CompileRecord& record) {
    const GraphKind kind = record.graph(GraphKind::joint) ? GraphKind::joint : GraphKind::inference;
    return {kind, record.graph(kind)};
}

GraphPane::GraphPane(QWidget* parent)
    : QWidget(parent),
      runName_(new ElidedLabel(this)),
      tabs_(new GraphTabs(this)),
      view_(new GraphView(this)),
      strip_(new CanvasStrip(view_->legend(), this)),
      undo_(new QUndoStack(this)) {
    view_->setObjectName(QStringLiteral("canvas"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* tabs = new QHBoxLayout;
    runName_->setObjectName(QStringLiteral("runName"));
    runName_->setContentsMargins(4, 0, 0, 0);
    runName_->setMinimumWidth(1);
    runName_->hide();
    tabs->addWidget(runName_);
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
        const DrawnGraph* seen = view_->graph();
        const auto& whole = current().whole;
        if (!seen || !whole || !seen->groups || !whole->groups) return;  // another picture is on its way
        const GroupTree& tree = *whole->groups;
        const int there = tree.byKey((*seen->groups)[group].key);
        if (there < 0) return;
        const int toggles = tree.opening(there);
        changeView((open ? tr("open %1") : tr("close %1")).arg(tree.fullName(toggles)),
                   toggled(tree, current().state, toggles, open), tree[toggles].key);
    });
    connect(view_, &GraphView::zoomed, this, &GraphPane::followZoom);
    connect(view_, &GraphView::cameraMoved, this,
            [this] { strip_->showZoom(view_->zoom() / usualZoom(), view_->isTooWide()); });
    connect(strip_, &CanvasStrip::depthChosen, this, &GraphPane::changeDepth);
    connect(strip_, &CanvasStrip::usualZoomChosen, view_, &GraphView::resetZoom);
    connect(&job_, &LayoutJob::finished, this, &GraphPane::onLayout);
    connect(&marking_, &QFutureWatcherBase::finished, this, [this] { takeMarked(marking_.result()); });
}

void GraphPane::setRecord(std::shared_ptr<const CompileRecord> record) {
    record_ = std::move(record);
    job_.cancel();
    asked_ = {};
    releaseInBackground(std::exchange(pictures_, {}));
    networkPicture_ = {};
    graph_.reset();  // another record may have the same graph
    if (choices_.setModel(toQString(record_->model.name))) camera_ = GraphView::Camera::fit;
    marks_.partition = record_->partition;
    marks_.before.reset();
    ++markings_;
    const bool network = network_;
    network_ = false;
    tabs_->showRecord(*record_);
    if (record_->graphs.empty()) {
        const bool said = record_->error.empty() && !record_->warnings.empty();
        view_->showMessage(toQString(said ? record_->warnings.front() : record_->error));
        refreshStrip();
        return;
    }
    if (network && marks_.partition && marks_.partition->network) return showNetwork(view_->selectedNode());
    showKind(firstGraphOf(*record_, kind_));
}

void GraphPane::showKind(GraphKind kind) {
    if (record_ && record_->graph(kind)) showGraph(kind, record_->graph(kind));
}

void GraphPane::showGraph(GraphKind kind, std::shared_ptr<const Graph> graph) {
    tabs_->markKind(kind);
    take(kind, std::move(graph));
}

void GraphPane::setRunName(const QString& name) {
    constexpr int widest = 30;  // letters
    runName_->setText(name);
    runName_->setMaximumWidth(widest * runName_->fontMetrics().averageCharWidth());
    runName_->setVisible(!name.isEmpty());
}

void GraphPane::offerLevels(const QStringList& titles) { tabs_->offerLevels(titles); }

void GraphPane::showLevel(int level, std::shared_ptr<const Graph> graph) {
    tabs_->markLevel(level);
    take(compiledGraph(*record_).first, std::move(graph));
}

void GraphPane::take(GraphKind kind, std::shared_ptr<const Graph> graph) {
    if (!network_ && graph == graph_ && (view_->graph() || layoutRunning())) return;
    network_ = false;
    kind_ = kind;
    graph_ = std::move(graph);
    Picture& picture = pictures_[graph_.get()];
    picture.graph = graph_;
    showPicture();
}

void GraphPane::showNetwork(NodeId centre) {
    const auto joint = record_ ? record_->graph(GraphKind::joint) : nullptr;
    if (!joint || !marks_.partition || !marks_.partition->network) return;
    tabs_->markNetwork();
    network_ = true;
    kind_ = GraphKind::joint;
    graph_ = joint;
    DrawnGraph drawn = drawNetwork(*joint, *marks_.partition, outermostOwner(*joint, centre));
    networkPicture_ = {joint, std::make_shared<const DrawnGraph>(std::move(drawn)), {}, {}, {}};
    showPicture();
}

/// Draws a graph, if needed, and finds the shown graph's nodes in that of another run, on any thread.
LayoutJob::Draw GraphPane::drawing(GraphKind kind, const Picture& picture) const {
    return
        [graph = picture.graph, kind, record = record_, marks = marks_, whole = picture.whole, otherRun = otherRun_] {
            if (otherRun) otherRun->map.emplace(*otherRun->before, *otherRun->after);
            if (whole) return whole;
            DrawnGraph drawn = drawGraph(*graph, kind, *record);
            addSubgraphs(drawn, *graph);
            marks.addTo(drawn, graph, *record);
            return withGroups(std::move(drawn));
        };
}

/// A cancelled layout may still be writing to the previous one.
void GraphPane::renewOtherRun() {
    otherRun_.reset();
    if (displayed_.graph && displayed_.record != record_)
        otherRun_ = std::make_shared<OtherRun>(OtherRun{displayed_.graph, graph_, {}});
}

void GraphPane::startLayout(GraphKind kind, Picture& picture) {
    picture.asked = true;
    asked_ = {kind, picture.graph, network_, markings_, view_->room()};
    renewOtherRun();
    if (picture.whole) job_.start(drawing(kind, picture), {picture.state, {}});
    else
        job_.start(drawing(kind, picture), {choices_.of(kind), automatic_ ? std::optional(asked_.room) : std::nullopt});
}

void GraphPane::prepare(GraphKind kind, std::shared_ptr<const Graph> graph) {
    if (network_ || job_.running() || displayed_.record != record_) return;
    Picture& picture = pictures_[graph.get()];
    picture.graph = std::move(graph);
    if (!picture.layout) startLayout(kind, picture);
}

const GraphPane::Picture& GraphPane::current() const {
    static const Picture nothing;
    const auto known = pictures_.find(graph_.get());
    return network_ ? networkPicture_ : known == pictures_.end() ? nothing : known->second;
}

/// The shown graph is chosen; its layout may still have to be made.
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
    view_->setNote(tr("Laying out %1…").arg(toQString(counted(graph_->size(), "node"))));
    if (!layoutRunning()) startLayout(kind_, picture);  // else it is being prepared
    Q_EMIT graphChanged();
    Q_EMIT layoutStarted();
}

void GraphPane::display() {
    markShown();
    const Picture& picture = current();
    const GraphView::Camera camera = camera_ ? *std::exchange(camera_, std::nullopt) : cameraForNext();
    releaseInBackground(std::exchange(displayed_, {record_, graph_, kind_}));  // perhaps the last one of a run
    if (toSelect_) view_->selectNext(*std::exchange(toSelect_, std::nullopt));
    view_->showGraph(picture.drawn, picture.layout, camera, anchor_);
    anchor_.clear();
    if (toBringIntoView_ != kNoNode) view_->bringNodeIntoView(std::exchange(toBringIntoView_, kNoNode));
    refreshStrip();
}

/// Keeps the camera for the same kind of graph, and where the previous run had the same nodes.
GraphView::Camera GraphPane::cameraForNext() {
    using Camera = GraphView::Camera;
    if (!view_->graph() || view_->graph()->network != network_) return Camera::fit;
    if (displayed_.record == record_) return displayed_.kind == kind_ ? Camera::keep : Camera::fit;
    if (!otherRun_ || !otherRun_->map || otherRun_->after != graph_) return Camera::fit;
    view_->renumber([&map = *otherRun_->map](NodeId node) { return map.of(node); });
    return Camera::hold;
}

/// Updates the marks of the shown graph: at once, or for large graphs in the background. Those of other graphs are
/// updated when they are shown.
void GraphPane::markShown() {
    const Picture& picture = current();
    if (network_ || !graph_ || !picture.whole || picture.markings == markings_) return;
    const auto mark = [graph = graph_, record = record_, marks = marks_, state = picture.state, whole = picture.whole,
                       markings = markings_] {
        Marked marked{graph, state, markings, marks.marked(*whole, graph, *record), {}};
        marked.drawn = visibleGraph(marked.whole, state);
        return marked;
    };
    if (picture.whole->nodes.size() < kManyBoxes) takeMarked(mark());
    else marking_.setFuture(QtConcurrent::run(mark));
}

void GraphPane::takeMarked(const Marked& marked) {
    const auto known = pictures_.find(marked.graph.get());
    if (known == pictures_.end() || marked.markings != markings_) return;
    Picture& picture = known->second;
    auto before = std::pair{std::exchange(picture.whole, marked.whole), picture.drawn};
    picture.markings = marked.markings;
    if (picture.layout) {
        picture.drawn = picture.state == marked.state ? marked.drawn : visibleGraph(picture.whole, picture.state);
        if (!network_ && displayed_.graph == marked.graph) view_->restyle(picture.drawn);
    }
    releaseInBackground(std::move(before));  // no longer shared by now
}

void GraphPane::setPartition(std::shared_ptr<const Partition> partition, std::shared_ptr<const Partition> before) {
    marks_.partition = std::move(partition);
    marks_.before = std::move(before);
    if (!record_ || !record_->graph(GraphKind::joint) || !marks_.partition) return;
    ++markings_;
    markShown();
    networkPicture_ = {};
    if (!network_) return;
    if (marks_.partition->network) showNetwork(view_->selectedNode());
    else showKind(GraphKind::joint);
}

void GraphPane::setDecoration(Decoration decoration) {
    marks_.decoration = std::move(decoration);
    ++markings_;
    markShown();
}

void GraphPane::select(NodeId node, const std::vector<NodeId>& others) {
    const auto& network = networkPicture_.whole;
    if (network_ && node != kNoNode && network && !network->note.isEmpty() && !network->indexOf.contains(node) &&
        !layoutRunning()) {
        const auto joint = record_->graph(GraphKind::joint);
        DrawnGraph around = drawNetwork(*joint, *marks_.partition, node);
        if (around.indexOf.contains(node)) {
            networkPicture_ = {joint, std::make_shared<const DrawnGraph>(std::move(around)), {}, {}, {}};
            showPicture();
        }
    }
    // Until the picture of another graph is ready, its nodes are not on the canvas.
    if (displayed_.graph != graph_) {
        toSelect_ = node;
        return;
    }
    view_->select(node);
    view_->setAlsoSelected(others);
}

void GraphPane::cancelLayout() {
    if (!layoutRunning()) return;
    job_.cancel();
    asked_.room = view_->room();
    renewOtherRun();
    const auto whole = drawing(kind_, current())();
    const ViewState state = current().whole ? current().state : choices_.of(kind_).value_or(opening(*whole));
    const auto seen = visibleGraph(whole, state);
    onLayout(seen,
             std::make_shared<const GraphLayout>(layoutSimply(*seen, tr("Layout cancelled: showing simple rows."))),
             whole, state);
}

void GraphPane::onLayout(std::shared_ptr<const DrawnGraph> seen, std::shared_ptr<const GraphLayout> layout,
                         std::shared_ptr<const DrawnGraph> whole, const ViewState& state) {
    const bool shown = asked_.isOf(graph_, network_);
    Picture& picture = shown ? current() : pictures_[asked_.graph.get()];
    if (!picture.asked) return;
    // The size of the window may have changed.
    if (opensByItself(asked_.kind) && asked_.room != view_->room()) {
        asked_.room = view_->room();
        return job_.start([whole = std::move(whole)] { return whole; }, {{}, asked_.room});
    }
    picture.asked = false;
    picture.layout = std::move(layout);
    picture.state = state;
    if (opensByItself(asked_.kind)) choices_.remember(asked_.kind, state);
    if (!picture.whole) {
        picture.whole = whole;
        picture.markings = asked_.markings;
    }
    // The boxes may have been marked or coloured again during the layout.
    picture.drawn = picture.whole == whole ? std::move(seen) : visibleGraph(picture.whole, state);
    if (!shown) return;
    display();
    Q_EMIT layoutFinished();
    if (toReveal_ != kNoNode) reveal(toReveal_);
}

}  // namespace aotscope
