#include "cost/roofline.h"

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

/// The ceiling of a kind of work; null: memory alone limits it.
const Pace* paceOf(const NodeCost& cost, const MachineModel& machine) {
    switch (cost.kind) {
        case WorkKind::matrix: return &machine.matrixFlops;
        case WorkKind::batchedMatrix: return &machine.batchedFlops;
        case WorkKind::convolution: return &machine.convolutionFlops;
        case WorkKind::attention: return &machine.attentionFlops;
        case WorkKind::transcendental: return &machine.transcendentals;
        case WorkKind::heavyFunction: return &machine.heavyFunctions;
        case WorkKind::random: return &machine.randomNumbers;
        case WorkKind::reduction: return &machine.reductions;
        case WorkKind::batchNorm: return &machine.batchNorms;
        case WorkKind::window: return &machine.windows;
        case WorkKind::conversion: return &machine.conversions;
        case WorkKind::none:
        case WorkKind::memory: break;
    }
    return nullptr;
}

/// As ceilings are called; empty: not drawn.
std::string nameOf(WorkKind kind) {
    switch (kind) {
        case WorkKind::matrix: return "matrix product";
        case WorkKind::batchedMatrix: return "batched product";
        case WorkKind::convolution: return "convolution";
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
        RooflinePoint point{i, static_cast<double>(cost.flops > 0 ? cost.flops : cost.elements),
                            static_cast<double>(cost.bytes()), timing.steps[i].medianUs / 1e6};
        if (point.operations <= 0 || point.bytes <= 0 || point.seconds <= 0) {
            ++roofline.without;
            continue;
        }
        if (machine) {
            const Pace* pace = paceOf(cost, *machine);
            const double work = pace ? point.operations / pace->perSecond : 0;
            point.reached = std::max(work, machine->bytes.seconds(point.bytes)) / point.seconds;
            if (const std::string name = nameOf(cost.kind); pace && !name.empty()) ceilings[name] = pace->perSecond;
        }
        roofline.points.push_back(point);
    }
    for (const auto& [name, perSecond] : ceilings) roofline.ceilings.push_back({name, perSecond});
    return roofline;
}

}  // namespace aotscope
