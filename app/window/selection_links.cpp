#include "window/selection_links.h"

#include "record/node_map.h"
#include "window/run_presenter.h"

namespace aotscope {

SelectionLinks::SelectionLinks(Workbench& bench, const Controllers& controllers, RunPresenter* presenter)
    : QObject(bench.window), bench_(bench), all_(controllers), presenter_(presenter) {
    Selection& selection = bench_.selection;
    GraphPane* pane = bench_.pane();
    connect(&selection, &Selection::changed, this, &SelectionLinks::show);
    connect(presenter_, &RunPresenter::factsChanged, this, &SelectionLinks::show);
    connect(pane, &GraphPane::nodeSelected, &selection, &Selection::select);
    connect(pane, &GraphPane::graphChanged, this, [this, pane] {
        bench_.selection.moveTo(pane->graph(), pane->kind());
        presenter_->showSummary();
    });
    connect(bench_.inspector, &InspectorPanel::nodeSelected, this, [this](NodeId node) {
        // The forward operation of a backward one is not in every graph; it is in the joint one.
        const auto& graph = bench_.selection.graph();
        if (graph && graph->findById(node)) bench_.selection.select(node);
        else selectIn(node, GraphKind::joint);
    });
    connect(bench_.passes, &PassPanel::passSelected, this, &SelectionLinks::showPass);
    connect(bench_.pages, &Pages::nodeSelected, this, &SelectionLinks::selectIn);
    connect(all_.whatIf, &WhatIfController::nodeSelected, this,
            [this](NodeId node) { selectIn(node, GraphKind::joint); });
    connect(all_.times, &TimingController::nodesSelected, this, &SelectionLinks::selectAllIn);
    connect(all_.whatIf, &WhatIfController::answered, this, [this] {
        presenter_->showPartition();
        markRows();
    });
}

void SelectionLinks::show() {
    const Selection& selection = bench_.selection;
    presenter_->showInspector();
    bench_.pane()->select(selection.node(), selection.others());
    all_.secondary->follow();
    all_.whatIf->showSelection();
    all_.times->follow(selection.node(), selection.kind());
    markRows();
}

void SelectionLinks::markRows() {
    // Elements of a tuple are drawn with the operation that makes it: their rows are its rows.
    std::vector<NodeId> nodes;
    if (const Node* node = bench_.selection.object()) {
        nodes.push_back(node->id());
        for (const Node* user : node->users())
            if (isGetitem(*user)) nodes.push_back(user->id());
    }
    bench_.pages->selectRows(nodes);
}

/// A table row stands for a node of `kind`: shown where it is now if it exists there, else in its own graph.
void SelectionLinks::selectIn(NodeId node, GraphKind kind) { selectAllIn({node}, kind); }

void SelectionLinks::selectAllIn(const std::vector<NodeId>& nodes, GraphKind kind) {
    Selection& selection = bench_.selection;
    const auto record = bench_.run.record();
    if (!selection.graph() || !record || nodes.empty()) return;
    const auto own = record->graph(kind);
    if (!own) return;
    std::vector<NodeId> here;
    for (const NodeId node : nodes)
        if (const NodeId there = correspondingNode(*own, kind, node, *selection.graph(), selection.kind());
            there != kNoNode)
            here.push_back(there);
    if (here.empty()) bench_.pane()->showKind(kind);
    selection.selectAll(here.empty() ? nodes : here);
}

void SelectionLinks::showPass(int row) {
    GraphPane* pane = bench_.pane();
    const PassRecord& pass = bench_.run.record()->passes[static_cast<std::size_t>(row)];
    for (const auto& [kind, graph] : pass.graphs)
        if (kind == pane->kind()) return pane->showGraph(kind, graph);
    if (!pass.graphs.empty()) pane->showGraph(pass.graphs.front().first, pass.graphs.front().second);
}

}  // namespace aotscope
