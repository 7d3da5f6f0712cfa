#include "passes/tail.h"

#include "cost/live_memory.h"
#include "ir/verifier.h"
#include "ops/functional_graph.h"
#include "ops/unneeded_copies.h"
#include "partition/move_collectives.h"
#include "partition/order/order_for_memory.h"
#include "partition/partition_joint.h"
#include "partition/plan/peak_planner.h"
#include "passes/passes.h"
#include "record/partition_figures.h"
#include "record/saved_copies.h"
#include "support/elapsed.h"
#include "support/error.h"

#include <algorithm>
#include <chrono>

namespace aotscope {

namespace {

constexpr bool preparesSplit(PassId pass) {
    return pass == PassId::deadCode || pass == PassId::commonSubexpressions || pass == PassId::dropCopies;
}

/// Throws logic_error if a graph violates an invariant of the IR, or mutates although it is functional.
void requireSoundGraphs(const PassRecord& pass) {
    for (const auto& [kind, graph] : pass.graphs) {
        requireSound(*graph, name(pass.id));
        if (kind == GraphKind::source || kind == GraphKind::preFunctionalization) continue;
        const auto findings = mutationsBesideEpilogue(*graph);
        check(findings.empty(), "after pass '" + std::string(name(pass.id)) +
                                    "': " + (findings.empty() ? std::string() : findings.front()));
    }
}

void noteTime(CompileTimes& times, const PassRecord& pass) {
    switch (pass.id) {
        case PassId::functional: times.metadata = pass.ms; break;
        case PassId::joint: times.joint = pass.ms; break;
        case PassId::partition: times.partition = pass.ms; break;
        case PassId::compile: times.compile = pass.ms; break;
        default: break;
    }
}

}  // namespace

bool tail::always(const Tail&) { return true; }
bool tail::hasBackward(const Tail& tail) { return tail.kind == GraphKind::joint; }
bool tail::mayMerge(const Tail& tail) { return !hasBackward(tail) || mergesOperations(tail.partition.algorithm); }

// A pass without changes keeps the graph object.

void tail::removeDeadCode(Tail& tail, PassRecord& pass) {
    if (hasDeadCode(*tail.graph)) {
        const std::shared_ptr<Graph> graph = tail.graph->clone();
        pass.changed = eliminateDeadCode(*graph);
        tail.graph = graph;
    }
    keepGraph(tail.record, pass, tail.kind, tail.graph);
}

void tail::mergeCommonSubexpressions(Tail& tail, PassRecord& pass) {
    if (mayHaveCommonSubexpressions(*tail.graph)) {
        const std::shared_ptr<Graph> graph = tail.graph->clone();
        pass.changed = eliminateCommonSubexpressions(*graph, pass.merged);
        if (pass.changed) tail.graph = graph;
    }
    keepGraph(tail.record, pass, tail.kind, tail.graph);
}

bool tail::dropsCopies(const Tail& tail) { return hasBackward(tail) && tail.partition.dropCopies; }

void tail::dropCopies(Tail& tail, PassRecord& pass) {
    const std::shared_ptr<Graph> graph = tail.graph->clone();
    pass.changed = dropUnneededCopies(*graph, pass.merged);
    if (pass.changed) tail.graph = graph;
    keepGraph(tail.record, pass, tail.kind, tail.graph);
}

void tail::partition(Tail& tail, PassRecord& pass) {
    auto result = std::make_shared<Partition>(
        partitionJoint(jointIn(tail), tail.partition, tail.model, tail.record.knownMetadata(), tail.progress));
    explainCopies(*result, tail.record.knownMetadata());
    keepGraph(tail.record, pass, GraphKind::forward, result->forward);
    keepGraph(tail.record, pass, GraphKind::backward, result->backward);
    pass.changed = true;
    pass.log.push_back(figuresText(figuresOf(*result)));
    if (result->plan) pass.log.push_back(planText(*result->plan));
    tail.record.partition = std::move(result);
}

namespace {

/// The graphs of forward and backward, or of inference, that a pass after the partition makes of those before it.
void takeGraphs(Tail& tail, PassRecord& pass, std::shared_ptr<const Graph> forward,
                std::shared_ptr<const Graph> backward) {
    CompileRecord& record = tail.record;
    const auto take = [&](GraphKind kind, const std::shared_ptr<const Graph>& graph) {
        pass.changed = pass.changed || graph != record.graph(kind);
        keepGraph(record, pass, kind, graph);
    };
    if (!record.partition) {
        tail.graph = std::move(forward);
        take(tail.kind, tail.graph);
        return;
    }
    auto partition = std::make_shared<Partition>(*record.partition);
    take(GraphKind::forward, partition->forward = std::move(forward));
    take(GraphKind::backward, partition->backward = std::move(backward));
    record.partition = std::move(partition);
}

}  // namespace

bool tail::ordersOperations(const Tail& tail) { return tail.partition.order == OperationOrdering::memory; }

void tail::orderOperations(Tail& tail, PassRecord& pass) {
    const auto costs = tail.model.costsOf(*tail.graph);
    const auto& partition = tail.record.partition;
    OrderedGraphs ordered =
        orderForMemory(partition ? partition->forward : tail.graph, partition ? partition->backward : nullptr,
                       tail.record.knownMetadata(), *costs, tail.model.compilers);
    takeGraphs(tail, pass, std::move(ordered.forward), std::move(ordered.backward));
    pass.log.push_back(std::move(ordered.log));
    if (!partition || !partition->plan) return;
    auto planned = std::make_shared<Partition>(*partition);
    notePeak(*planned->plan, liveMemory(*planned, tail.record.knownMetadata(), *costs, tail.model.compilers));
    tail.record.partition = std::move(planned);
}

bool tail::movesCollectives(const Tail& tail) { return tail.partition.moves.any(); }

void tail::moveCollectives(Tail& tail, PassRecord& pass) {
    const auto& partition = tail.record.partition;
    MovedCollectives moved = aotscope::moveCollectives(
        partition ? partition->forward : tail.graph, partition ? partition->backward : nullptr,
        partition ? tail.graph.get() : nullptr, tail.record.knownMetadata(), tail.partition.moves);
    takeGraphs(tail, pass, std::move(moved.forward), std::move(moved.backward));
    pass.log = std::move(moved.log);
}

namespace {

void runPasses(Tail& tail, std::initializer_list<TailPass> wanted, bool verify) {
    const auto& passes = tail.record.passes;
    for (const TailPass& pass : wanted) {
        if (!pass.applies(tail) || std::ranges::count(passes, pass.id, &PassRecord::id) > 0) continue;
        PassRecord entry;
        entry.id = pass.id;
        entry.help = pass.help;
        const auto start = std::chrono::steady_clock::now();
        pass.run(tail, entry);
        entry.ms = msSince(start);
        addPass(tail.record, std::move(entry), verify);
    }
}

}  // namespace

void prepareSplit(Tail& tail, bool verify) { runPasses(tail, {kDeadCode, kCommonSubexpressions, kDropCopies}, verify); }

void runTail(Tail& tail, bool verify) {
    prepareSplit(tail, verify);
    runPasses(tail, {kPartition, kOrder, kCollectives}, verify);
}

JointToSplit jointIn(const Tail& tail) {
    JointToSplit joint{tail.graph};
    for (const PassRecord& pass : tail.record.passes) {
        joint.merged.insert(joint.merged.end(), pass.merged.begin(), pass.merged.end());
        if (preparesSplit(pass.id)) continue;
        for (const auto& [kind, graph] : pass.graphs)
            if (kind == GraphKind::joint) joint.before = graph;
    }
    joint.staticParameters = tail.record.staticParameters;
    joint.plans = tail.plans;
    return joint;
}

void keepGraph(CompileRecord& record, PassRecord& pass, GraphKind kind, std::shared_ptr<const Graph> graph) {
    pass.graphs.emplace_back(kind, graph);
    record.graphs[kind] = std::move(graph);
}

void addPass(CompileRecord& record, PassRecord pass, bool verify) {
    for (const auto& [kind, graph] : pass.graphs) pass.nodesAfter += graph->callCount();
    pass.nodesBefore = record.passes.empty() ? pass.nodesAfter : record.passes.back().nodesAfter;
    noteTime(record.times, pass);
    if (verify) requireSoundGraphs(pass);
    record.passes.push_back(std::move(pass));
}

}  // namespace aotscope
