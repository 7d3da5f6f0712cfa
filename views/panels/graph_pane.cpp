#include "panels/graph_pane.h"

#include "canvas/fates.h"
#include "canvas/network_graph.h"

#include <QVBoxLayout>

namespace aotscope {

namespace {

/// Tabs from left to right: what people look at most comes first.
constexpr std::array kOrder = {GraphKind::joint,  GraphKind::forward,       GraphKind::backward,  GraphKind::inference,
                               GraphKind::source, GraphKind::forwardTraced, GraphKind::functional};

constexpr int kNetworkTab = kGraphKinds;
constexpr int kFirstLevelTab = kNetworkTab + 1;

}  // namespace

std::pair<GraphKind, std::shared_ptr<const Graph>> compiledGraph(const CompileRecord& record) {
    const GraphKind kind = record.graph(GraphKind::joint) ? GraphKind::joint : GraphKind::inference;
    return {kind, record.graph(kind)};
}

QString titleOf(GraphKind kind) {
    switch (kind) {
        case GraphKind::source: return QObject::tr("Source");
        case GraphKind::forwardTraced: return QObject::tr("Forward as traced");
        case GraphKind::functional: return QObject::tr("Functional");
        case GraphKind::joint: return QObject::tr("Joint");
        case GraphKind::forward: return QObject::tr("Forward");
        case GraphKind::backward: return QObject::tr("Backward");
        case GraphKind::inference: return QObject::tr("Inference");
    }
    return {};
}

GraphPane::GraphPane(QWidget* parent) : QWidget(parent), tabs_(new QTabBar(this)), view_(new GraphView(this)) {
    tabs_->setObjectName(QStringLiteral("graphTabs"));
    tabs_->setExpanding(false);
    tabs_->setDrawBase(false);
    view_->setObjectName(QStringLiteral("canvas"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tabs_);
    layout->addWidget(view_, 1);
    connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) {
        if (rebuilding_ || tab < 0) return;
        const int chosen = tabs_->tabData(tab).toInt();
        if (chosen == kNetworkTab) showNetwork(view_->selectedNode());
        else if (chosen >= kFirstLevelTab) Q_EMIT levelAsked(chosen - kFirstLevelTab);
        else showKind(static_cast<GraphKind>(chosen));
    });
    connect(view_, &GraphView::nodeSelected, this, &GraphPane::nodeSelected);
    connect(&job_, &LayoutJob::finished, this, &GraphPane::onLayout);
}

void GraphPane::setRecord(std::shared_ptr<const CompileRecord> record) {
    record_ = std::move(record);
    job_.cancel();
    pictures_.clear();
    networkPicture_ = {};
    partition_ = record_->partition;
    before_.reset();
    const bool network = network_;
    network_ = false;
    rebuildTabs();
    if (record_->graphs.empty()) {
        graph_.reset();
        view_->showMessage(toQString(record_->error));
        return;
    }
    GraphKind next = kind_;
    for (const GraphKind kind : kOrder)
        if (!record_->graph(next) && record_->graph(kind)) next = kind;
    if (network && partition_ && partition_->network) return showNetwork(view_->selectedNode());
    showKind(next);
}

void GraphPane::rebuildTabs() {
    rebuilding_ = true;
    while (tabs_->count() > 0) tabs_->removeTab(0);
    for (const GraphKind kind : kOrder)
        if (record_->graph(kind)) tabs_->setTabData(tabs_->addTab(titleOf(kind)), static_cast<int>(kind));
    if (record_->graph(GraphKind::joint) && record_->partition && record_->partition->network)
        tabs_->setTabData(tabs_->addTab(tr("Flow network")), kNetworkTab);
    for (int level = 0; level < levels_.size() && compiledGraph(*record_).second; ++level)
        tabs_->setTabData(tabs_->addTab(levels_[level]), kFirstLevelTab + level);
    rebuilding_ = false;
}

void GraphPane::chooseTab(int tab) {
    rebuilding_ = true;
    for (int i = 0; i < tabs_->count(); ++i)
        if (tabs_->tabData(i).toInt() == tab) tabs_->setCurrentIndex(i);
    rebuilding_ = false;
}

void GraphPane::showKind(GraphKind kind) {
    if (record_ && record_->graph(kind)) showGraph(kind, record_->graph(kind));
}

void GraphPane::showGraph(GraphKind kind, std::shared_ptr<const Graph> graph) {
    chooseTab(static_cast<int>(kind));
    take(kind, std::move(graph));
}

void GraphPane::offerLevels(const QStringList& titles) { levels_ = titles; }

void GraphPane::showLevel(int level, std::shared_ptr<const Graph> graph) {
    chooseTab(kFirstLevelTab + level);
    take(compiledGraph(*record_).first, std::move(graph));
}

void GraphPane::take(GraphKind kind, std::shared_ptr<const Graph> graph) {
    if (!network_ && graph == graph_ && view_->graph()) return;
    network_ = false;
    kind_ = kind;
    graph_ = std::move(graph);
    Picture& picture = pictures_[graph_.get()];
    if (!picture.drawn) picture = {graph_, marked(drawGraph(*graph_, kind, *record_), graph_.get()), nullptr, nullptr};
    showPicture();
}

void GraphPane::showNetwork(NodeId centre) {
    const auto joint = record_ ? record_->graph(GraphKind::joint) : nullptr;
    if (!joint || !partition_ || !partition_->network) return;
    chooseTab(kNetworkTab);
    network_ = true;
    kind_ = GraphKind::joint;
    graph_ = joint;
    networkPicture_ = {joint, std::make_shared<const DrawnGraph>(drawNetwork(*joint, *partition_, centre)), nullptr,
                       nullptr};
    showPicture();
}

/// What is to be shown is decided; its layout may still have to be made.
void GraphPane::showPicture() {
    Picture& picture = current();
    if (picture.layout) {
        job_.cancel();
        view_->showGraph(picture.drawn, picture.layout);
        Q_EMIT graphChanged();
        Q_EMIT layoutFinished();
        return;
    }
    view_->setNote(tr("Laying out %1 boxes…").arg(picture.drawn->nodes.size()));
    picture.asked = picture.drawn;
    job_.start(picture.drawn);
    Q_EMIT graphChanged();
    Q_EMIT layoutStarted();
}

std::shared_ptr<const DrawnGraph> GraphPane::marked(DrawnGraph drawn, const Graph* graph) const {
    const auto joint = record_->graph(GraphKind::joint);
    if (graph == joint.get() && partition_) markFates(drawn, *joint, *partition_, before_.get());
    return std::make_shared<const DrawnGraph>(std::move(drawn));
}

void GraphPane::setPartition(std::shared_ptr<const Partition> partition, std::shared_ptr<const Partition> before) {
    partition_ = std::move(partition);
    before_ = std::move(before);
    const auto joint = record_ ? record_->graph(GraphKind::joint) : nullptr;
    if (!joint || !partition_) return;
    if (const auto known = pictures_.find(joint.get()); known != pictures_.end() && known->second.drawn) {
        Picture& picture = known->second;
        picture.drawn = marked(*picture.drawn, joint.get());
        if (!network_ && graph_ == joint && picture.layout) view_->restyle(picture.drawn);
    }
    networkPicture_ = {};
    if (!network_) return;
    if (partition_->network) showNetwork(view_->selectedNode());
    else showKind(GraphKind::joint);
}

void GraphPane::select(NodeId node, const std::vector<NodeId>& others) {
    const auto& network = networkPicture_.drawn;
    if (network_ && node != kNoNode && network && !network->note.isEmpty() && !network->indexOf.contains(node) &&
        !job_.running()) {
        const auto joint = record_->graph(GraphKind::joint);
        DrawnGraph around = drawNetwork(*joint, *partition_, node);
        if (around.indexOf.contains(node)) {
            networkPicture_ = {joint, std::make_shared<const DrawnGraph>(std::move(around)), nullptr, nullptr};
            showPicture();
        }
    }
    view_->select(node);
    view_->setAlsoSelected(others);
}

void GraphPane::cancelLayout() {
    if (!job_.running()) return;
    job_.cancel();
    const auto drawn = current().drawn;
    current().asked = drawn;
    onLayout(drawn, std::make_shared<const GraphLayout>(
                        simpleLayout(*drawn, planLayout(*drawn), tr("Layout cancelled: simple layout."))));
}

void GraphPane::onLayout(std::shared_ptr<const DrawnGraph> drawn, std::shared_ptr<const GraphLayout> layout) {
    Picture& picture = current();
    if (picture.asked != drawn) return;
    picture.asked.reset();
    picture.layout = std::move(layout);
    view_->showGraph(picture.drawn, picture.layout);
    Q_EMIT layoutFinished();
}

}  // namespace aotscope
