#include "window/selection_links.h"

#include "ir/printer.h"
#include "record/pass_graphs.h"
#include "window/run_presenter.h"

#include <algorithm>

namespace aotscope {

SelectionLinks::SelectionLinks(Workbench& bench, const Controllers& controllers, RunPresenter* presenter)
    : QObject(bench.window), bench_(bench), all_(controllers), presenter_(presenter) {
    Selection& selection = bench_.selection;
    GraphPane* pane = bench_.pane();
    GraphTextPanel* text = all_.text;
    connect(pane, &GraphPane::graphChanged, text, [text, pane] { text->setGraph(pane->graph()); });
    connect(&selection, &Selection::changed, text, [text, &selection] { text->select(selection.node()); });
    connect(text, &GraphTextPanel::nodeSelected, &selection, &Selection::select);
    connect(&selection, &Selection::changed, this, &SelectionLinks::show);
    connect(presenter_, &RunPresenter::factsChanged, this, &SelectionLinks::show);
    connect(all_.modules, &ModuleController::selectedChanged, presenter_, &RunPresenter::showInspector);
    connect(pane, &GraphPane::nodeSelected, &selection, &Selection::select);
    connect(pane, &GraphPane::graphChanged, this, [this, pane] {
        bench_.selection.moveTo(pane->graph(), pane->kind());
        markPass();
        presenter_->showSummary();
    });
    connect(bench_.inspector, &InspectorPanel::nodeSelected, this, [this](NodeId node) {
        // The forward operation of a backward one may be missing in the shown graph; the joint graph has it.
        const auto& graph = bench_.selection.graph();
        if (graph && findNode(*graph, node)) bench_.selection.select(node);
        else selectIn(node, GraphKind::joint);
    });
    connect(bench_.inspector, &InspectorPanel::overrideAsked, this, &SelectionLinks::overrideShown);
    connect(bench_.passes, &PassPanel::passSelected, this, &SelectionLinks::showPass);
    connect(all_.navigation->difference(), &DifferenceController::rangeShown, this, &SelectionLinks::markPass);
    connect(bench_.pages, &Pages::nodeSelected, this, &SelectionLinks::selectIn);
    connect(bench_.pages, &Pages::nodesSelected, this, &SelectionLinks::selectAllIn);
    connect(all_.whatIf, &WhatIfController::nodeSelected, this,
            [this](NodeId node) { selectIn(node, GraphKind::joint); });
    connect(all_.whatIf, &WhatIfController::nodesSelected, this,
            [this](const std::vector<NodeId>& nodes) { selectAllIn(nodes, GraphKind::joint); });
    connect(all_.whatIf, &WhatIfController::alternativesFound, bench_.inspector, &InspectorPanel::setAlternatives);
    connect(all_.times->panel(), &TimePanel::nodesSelected, this, &SelectionLinks::selectAllIn);
    connect(all_.whatIf, &WhatIfController::answered, this, [this] {
        presenter_->showPartition();
        markRows();
    });
}

void SelectionLinks::show() {
    const Selection& selection = bench_.selection;
    presenter_->showInspector();
    bench_.pane()->select(selection.node(), selection.others());
    const Node* node = selection.object();
    bench_.pane()->view()->setAccessibleDescription(node ? toQString(printNode(*node)) : QString());
    all_.secondary->follow();
    all_.whatIf->showSelection();
    const Node* outermost = selection.outermost();
    all_.times->follow(outermost ? outermost->id() : kNoNode, selection.kind());
    markRows();
}

/// A closed module is no node: its operations are selected first.
void SelectionLinks::overrideShown(const QString& action) {
    if (const int module = all_.modules->selected(); module > 0) all_.modules->choose(module);
    for (QAction* each : all_.whatIf->overrides())
        if (each->objectName() == action) each->trigger();
}

void SelectionLinks::markRows() {
    // Elements of a tuple are drawn with the operation that returns it: their rows are its rows.
    std::vector<NodeId> nodes;
    const auto add = [&nodes](const Node* node) {
        if (!node) return;
        nodes.push_back(node->id());
        for (const Node* user : node->users())
            if (isGetitem(*user)) nodes.push_back(user->id());
    };
    const Selection& selection = bench_.selection;
    add(selection.outermost());
    for (const NodeId other : selection.others()) add(selection.graph()->findById(other));
    bench_.pages->selectRows(nodes);
}

/// A table row stands for a node of `kind`: shown in the current graph if it exists there, else in its own.
void SelectionLinks::selectIn(NodeId node, GraphKind kind) { selectAllIn({node}, kind); }

void SelectionLinks::selectAllIn(const std::vector<NodeId>& nodes, GraphKind kind) {
    Selection& selection = bench_.selection;
    const auto record = bench_.run.record();
    if (!selection.graph() || !record || nodes.empty()) return;
    const auto own = record->graph(kind);
    if (!own) return;
    std::vector<NodeId> here;
    for (const NodeId node : nodes)
        if (const Followed there = selection.follower()->follow(own, kind, node, selection.graph(), selection.kind());
            there.how == Followed::How::same)
            here.push_back(there.first());
    if (here.empty()) bench_.pane()->showKind(kind);
    selection.selectAll(here.empty() ? nodes : here);
}

void SelectionLinks::showPass(int row) {
    GraphPane* pane = bench_.pane();
    if (const auto shown = graphAfter(*bench_.run.record(), static_cast<std::size_t>(row), pane->kind()))
        pane->showGraph(shown->kind, shown->graph);
}

/// The list of passes marks the pass whose graph is shown. A pass without changes shows the graph of another.
void SelectionLinks::markPass() {
    const auto record = bench_.run.record();
    if (!record) return;
    const auto& graph = bench_.pane()->graph();
    const int now = bench_.passes->currentPass();
    const auto marked =
        now < 0 ? std::nullopt : graphAfter(*record, static_cast<std::size_t>(now), bench_.pane()->kind());
    if (marked && marked->graph == graph) return;
    const auto graphs = graphsOf(*record);
    const auto shown = std::ranges::find(graphs, graph, &PassGraph::graph);
    if (shown != graphs.end()) bench_.passes->mark(static_cast<int>(shown->pass));
}

}  // namespace aotscope
