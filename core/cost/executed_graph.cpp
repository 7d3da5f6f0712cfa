#include "cost/executed_graph.h"

#include <algorithm>
#include <exception>

namespace aotscope {

namespace {

bool isFused(const CompilerUse& use) { return use.used == "fused"; }

/// The groups of the fused compiler; none if they are not those that it made, for other settings or devices.
GroupedGraph groupsOf(const Graph& graph, const CompilerUse& use) {
    const bool compiled = use.ms > 0;
    if (compiled && use.groups.empty()) return {};
    for (const bool reductions : {true, false}) {
        GroupedGraph grouped = groupOperations(graph, {.reductions = reductions, .runsOn = {}});
        if (!compiled || idsOf(grouped) == use.groups) return grouped;
    }
    return {};
}

}  // namespace

ExecutedGraph::ExecutedGraph(std::shared_ptr<const Graph> graph) : source_(std::move(graph)) {}

ExecutedGraph::ExecutedGraph(std::shared_ptr<const Graph> graph, GraphKind kind,
                             const std::vector<CompilerUse>& compilers)
    : source_(std::move(graph)) {
    const auto use = std::ranges::find(compilers, kind, &CompilerUse::graph);
    if (!source_ || use == compilers.end() || !isFused(*use)) return;
    try {
        grouped_ = groupsOf(*source_, *use);
        if (!grouped_.groups.empty()) calls_ = graphOfGroups(*source_, grouped_);
    } catch (const std::exception&) {  // a file may name the compiler for a graph that it cannot compile
        calls_ = {};
    }
}

bool ExecutedGraph::groupsOperations(const std::vector<CompilerUse>& compilers) {
    return std::ranges::any_of(compilers, isFused);
}

const FusionGroup* ExecutedGraph::groupOf(const Node& step) const {
    const auto call = calls_.groupOf.find(&step);
    return call == calls_.groupOf.end() ? nullptr : &grouped_.groups[call->second];
}

}  // namespace aotscope
