#include "record/pass_steps.h"

#include "ir/id_table.h"
#include "record/pass_graphs.h"

#include <algorithm>

namespace aotscope {

namespace {

std::vector<PassStep> rewriteSteps(const std::vector<Rewrite>& rewrites, const Graph& graph, GraphKind kind) {
    const NodesById nodes = nodesById(graph);
    std::vector<PassStep> steps;
    for (const Rewrite& rewrite : rewrites) {
        PassStep step{"rewrite", rewrite.before, kind};
        std::string became;
        for (const NodeId id : rewrite.nodes)
            if (const Node* node = nodes.at(id)) {
                became += (became.empty() ? " became %" : ", %") + node->name();
                step.node = id;
            }
        for (const NodeId id : rewrite.results)
            if (nodes.contains(id)) step.node = id;
        step.text += became + ", by the rule " + rewrite.rule;
        steps.push_back(std::move(step));
    }
    return steps;
}

std::vector<PassStep> partitionSteps(const Partition& partition) {
    std::vector<PassStep> steps;
    for (const SavedValue& value : partition.saved)
        steps.push_back({"saved", "%" + value.name + ": " + value.reason, GraphKind::forward, value.node});
    for (const RecomputedValue& value : partition.recomputed)
        steps.push_back({"recomputed", "%" + value.name + ": " + value.op, GraphKind::backward, value.node});
    return steps;
}

std::string textOf(const DifferenceRow& row, const NodesById& before, const NodesById& after) {
    const Node* node = row.after != kNoNode ? after.at(row.after) : before.at(row.before);
    std::string text = "%" + node->name();
    if (node->kind() == NodeKind::call) text += " = " + node->op();
    return row.what.empty() ? text : text + ": " + row.what;
}

/// What a removed node was computed from, as far as it still exists.
NodeId remainsOf(const Node& gone, const NodesById& after) {
    for (const Node* input : gone.inputs())
        if (after.contains(input->id())) return input->id();
    return kNoNode;
}

std::vector<PassStep> differenceSteps(const GraphDifference& difference) {
    const NodesById before = nodesById(*difference.before), after = nodesById(*difference.after);
    std::vector<PassStep> steps;
    for (const DifferenceRow& row : difference.rows) {
        if (row.kind == DifferenceKind::same) continue;
        const bool merged = row.kind == DifferenceKind::removed && row.what.starts_with("merged");
        PassStep step{std::string(merged ? "merged" : name(row.kind)), textOf(row, before, after), difference.kindAfter,
                      row.after};
        if (row.after == kNoNode) step.node = remainsOf(*before.at(row.before), after);
        steps.push_back(std::move(step));
    }
    return steps;
}

}  // namespace

std::vector<PassStep> stepsOf(const CompileRecord& record, std::size_t pass) {
    if (pass >= record.passes.size() || !record.passes[pass].changed) return {};
    const PassRecord& own = record.passes[pass];
    if (own.id == PassId::partition && record.partition) return partitionSteps(*record.partition);
    const auto graphs = graphsOf(record);
    const auto at = std::ranges::find(graphs, pass, &PassGraph::pass);
    if (at == graphs.begin() || at == graphs.end()) return {};
    const bool decomposes = own.id == PassId::joint || own.id == PassId::inference;
    if (decomposes && !record.rewrites.empty())
        return rewriteSteps(record.rewrites, *own.graphs.front().second, at->kind);
    const PassGraph& before = graphs[graphBefore(graphs, static_cast<std::size_t>(at - graphs.begin()))];
    return differenceSteps(compareGraphs(record, before.graph, before.kind, at->graph, at->kind));
}

}  // namespace aotscope
