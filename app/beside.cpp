#include "beside.h"

#include <QSplitter>

namespace aotscope {

Beside::Beside(GraphPane* pane, Selection* selection, QObject* parent)
    : QObject(parent), pane_(pane), selection_(selection) {
    pane_->setObjectName(QStringLiteral("beside"));
    pane_->view()->setObjectName(QStringLiteral("canvasBeside"));
    pane_->findChild<QTabBar*>()->setObjectName(QStringLiteral("graphTabsBeside"));
    pane_->hide();
    connect(pane_, &GraphPane::nodeSelected, this, &Beside::lead);
    connect(pane_, &GraphPane::graphChanged, this, &Beside::follow);
    connect(pane_, &GraphPane::layoutFinished, this, &Beside::follow);
}

void Beside::setRecord(std::shared_ptr<const CompileRecord> record) {
    record_ = std::move(record);
    outdated_ = true;
    map_.reset();
    if (shown_) refresh();
}

void Beside::show(bool shown) {
    shown_ = shown;
    pane_->setVisible(shown);
    if (auto* splitter = qobject_cast<QSplitter*>(pane_->parentWidget()); splitter && shown)
        splitter->setSizes({splitter->width() / 2, splitter->width() / 2});
    if (shown) refresh();
}

void Beside::refresh() {
    if (!record_) return;
    const bool first = outdated_ && !pane_->graph();
    if (outdated_) pane_->setRecord(record_);
    outdated_ = false;
    if (first) pane_->showKind(record_->graph(GraphKind::source) ? GraphKind::source : GraphKind::functional);
    follow();
}

const LevelMap* Beside::map() {
    if (!record_ || !pane_->graph() || !selection_->graph()) return nullptr;
    if (!map_ || from_ != selection_->graph() || to_ != pane_->graph()) {
        from_ = selection_->graph();
        to_ = pane_->graph();
        map_.emplace(*record_, *from_, selection_->kind(), *to_, pane_->kind());
    }
    return &*map_;
}

void Beside::follow() {
    if (!shown_ || leading_) return;
    const LevelMap* links = map();
    if (!links || pane_->layoutRunning()) return;
    std::vector<NodeId> here = links->toB(selection_->node());
    for (const NodeId other : selection_->others())
        for (const NodeId node : links->toB(other)) here.push_back(node);
    pane_->select(here.empty() ? kNoNode : here.front(),
                  here.empty() ? std::vector<NodeId>() : std::vector<NodeId>(here.begin() + 1, here.end()));
}

/// A node was chosen in this pane: what it comes from, or what it became, is selected in the first.
void Beside::lead(NodeId node) {
    const LevelMap* links = map();
    if (!links) return;
    const std::vector<NodeId> there = links->toA(node);
    leading_ = true;
    selection_->select(there.empty() ? kNoNode : there.front());
    for (std::size_t i = 1; i < there.size(); ++i) selection_->toggle(there[i]);
    leading_ = false;
    pane_->select(node, {});
}

}  // namespace aotscope
