#include "panels/graph_pane.h"

#include <QVBoxLayout>

namespace aotscope {

namespace {

/// Tabs from left to right: what people look at most comes first.
constexpr std::array kOrder = {GraphKind::joint,  GraphKind::forward,       GraphKind::backward,  GraphKind::inference,
                               GraphKind::source, GraphKind::forwardTraced, GraphKind::functional};

}  // namespace

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
        if (!rebuilding_ && tab >= 0) showKind(static_cast<GraphKind>(tabs_->tabData(tab).toInt()));
    });
    connect(view_, &GraphView::nodeSelected, this, &GraphPane::nodeSelected);
    connect(&job_, &LayoutJob::finished, this, &GraphPane::onLayout);
}

void GraphPane::setRecord(std::shared_ptr<const CompileRecord> record) {
    record_ = std::move(record);
    job_.cancel();
    pictures_.clear();
    rebuildTabs();
    if (record_->graphs.empty()) {
        graph_.reset();
        view_->showMessage(toQString(record_->error));
        return;
    }
    GraphKind next = kind_;
    for (const GraphKind kind : kOrder)
        if (!record_->graph(next) && record_->graph(kind)) next = kind;
    showKind(next);
}

void GraphPane::rebuildTabs() {
    rebuilding_ = true;
    while (tabs_->count() > 0) tabs_->removeTab(0);
    for (const GraphKind kind : kOrder)
        if (record_->graph(kind)) tabs_->setTabData(tabs_->addTab(titleOf(kind)), static_cast<int>(kind));
    rebuilding_ = false;
}

void GraphPane::showKind(GraphKind kind) {
    if (record_ && record_->graph(kind)) showGraph(kind, record_->graph(kind));
}

void GraphPane::showGraph(GraphKind kind, std::shared_ptr<const Graph> graph) {
    rebuilding_ = true;
    for (int i = 0; i < tabs_->count(); ++i)
        if (tabs_->tabData(i).toInt() == static_cast<int>(kind)) tabs_->setCurrentIndex(i);
    rebuilding_ = false;
    if (graph == graph_ && view_->graph()) return;
    kind_ = kind;
    graph_ = std::move(graph);
    Picture& picture = pictures_[graph_.get()];
    if (!picture.drawn)
        picture = {graph_, std::make_shared<const DrawnGraph>(drawGraph(*graph_, kind, *record_)), nullptr};
    if (picture.layout) {
        job_.cancel();
        view_->showGraph(picture.drawn, picture.layout);
        Q_EMIT graphChanged();
        Q_EMIT layoutFinished();
        return;
    }
    view_->setNote(tr("Laying out %1 boxes…").arg(picture.drawn->nodes.size()));
    job_.start(picture.drawn);
    Q_EMIT graphChanged();
    Q_EMIT layoutStarted();
}

void GraphPane::cancelLayout() {
    if (!job_.running()) return;
    job_.cancel();
    const auto& picture = pictures_[graph_.get()];
    onLayout(picture.drawn, std::make_shared<const GraphLayout>(simpleLayout(*picture.drawn, planLayout(*picture.drawn),
                                                                             tr("Layout cancelled: simple layout."))));
}

void GraphPane::onLayout(std::shared_ptr<const DrawnGraph> drawn, std::shared_ptr<const GraphLayout> layout) {
    Picture& picture = pictures_[graph_.get()];
    if (picture.drawn != drawn) return;
    picture.layout = layout;
    view_->showGraph(std::move(drawn), std::move(layout));
    Q_EMIT layoutFinished();
}

}  // namespace aotscope
