#include "cost/roofline.h"

#include "cost/work_pace.h"
#include "ops/op_table.h"

#include <algorithm>
#include <map>
#include <set>

namespace aotscope {

namespace {

/// The nodes of the executed graphs, by graph and id: ids need not be ascending in a backward graph.
using ExecutedNodes = std::map<std::pair<GraphKind, NodeId>, const Node*>;

ExecutedNodes executedNodes(const CompileRecord& record) {
    ExecutedNodes nodes;
    for (const GraphKind kind : executedGraphs(record))
        if (const auto graph = record.graph(kind))
            for (const Node* node : graph->nodes()) nodes.emplace(std::pair(kind, node->id()), node);
    return nodes;
}

/// The graphs whose steps are single operations.
std::set<GraphKind> graphsByOperation(const TimingResult& timing, const ExecutedNodes& nodes) {
    std::set<GraphKind> graphs;
    std::set<std::pair<GraphKind, NodeId>> timed;
    for (const StepTime& step : timing.steps) {
        graphs.insert(step.graph);
        timed.emplace(step.graph, step.node);
    }
    for (const auto& [place, node] : nodes)
        if (node->kind() == NodeKind::call && !isFree(*node) && !timed.contains(place)) graphs.erase(place.first);
    return graphs;
}

/// As ceilings are called; empty: not drawn.
std::string nameOf(const TimedNode& timed) {
    switch (timed.cost.kind) {
        case WorkKind::matrix: return "matrix product";
        case WorkKind::batchedMatrix: return "batched product";
        case WorkKind::convolution:
            return shortOpName(timed.node->op()) == "convolution_backward" ? "backward of convolution" : "convolution";
        case WorkKind::attention: return "attention";
        default: return {};
    }
}

}  // namespace

std::vector<TimedNode> timedNodes(const TimingResult& timing, const CompileRecord& record) {
    const ExecutedNodes nodes = executedNodes(record);
    const std::set<GraphKind> byOperation = graphsByOperation(timing, nodes);
    std::vector<TimedNode> timed;
    for (const StepTime& step : timing.steps) {
        const auto found = nodes.find({step.graph, step.node});
        TimedNode& next = timed.emplace_back();
        if (found == nodes.end()) continue;
        next.node = found->second;
        if (byOperation.contains(step.graph)) next.cost = costOf(*next.node);
    }
    return timed;
}

Roofline rooflineOf(const TimingResult& timing, const CompileRecord& record, const MachineModel* machine) {
    if (machine && machine->disturbed()) machine = nullptr;
    Roofline roofline;
    if (machine) roofline.cached = machine->bytes.small, roofline.memory = machine->bytes.large;
    std::map<std::string, double> ceilings;
    const std::vector<TimedNode> timed = timedNodes(timing, record);
    for (std::size_t i = 0; i < timed.size(); ++i) {
        const NodeCost& cost = timed[i].cost;
        RooflinePoint point{i, workOf(cost), static_cast<double>(cost.bytes()), timing.steps[i].medianUs / 1e6};
        if (point.operations <= 0 || point.bytes <= 0 || point.seconds <= 0) {
            ++roofline.without;
            continue;
        }
        if (machine) {
            const Pace* pace = paceOf(*timed[i].node, cost, *machine);
            const double work = pace ? point.operations / pace->perSecond : 0;
            point.reached = std::max(work, machine->bytes.seconds(point.bytes)) / point.seconds;
            if (const std::string name = nameOf(timed[i]); pace && !name.empty()) ceilings[name] = pace->perSecond;
        }
        roofline.points.push_back(point);
    }
    for (const auto& [name, perSecond] : ceilings) roofline.ceilings.push_back({name, perSecond});
    return roofline;
}

}  // namespace aotscope
