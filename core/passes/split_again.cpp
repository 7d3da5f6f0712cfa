#include "passes/split_again.h"

#include "cost/runtime_model.h"
#include "partition/partition_joint.h"
#include "passes/passes.h"
#include "support/elapsed.h"
#include "support/error.h"

#include <algorithm>
#include <chrono>

namespace aotscope {

namespace {

using Clock = std::chrono::steady_clock;

/// Without what became of the partition that it had.
void dropHalves(CompileRecord& record) {
    const auto split = std::ranges::find(record.passes, PassId::partition, &PassRecord::id);
    record.passes.erase(split, record.passes.end());
    record.graphs.erase(GraphKind::forward);
    record.graphs.erase(GraphKind::backward);
    record.partition.reset();
    record.offendingPath.clear();
    record.error.clear();
    record.times.partition = 0;
}

void add(CompileRecord& record, PassRecord pass) {
    for (const auto& [kind, graph] : pass.graphs) {
        pass.nodesAfter += graph->callCount();
        record.graphs[kind] = graph;
    }
    pass.nodesBefore = record.passes.empty() ? pass.nodesAfter : record.passes.back().nodesAfter;
    record.passes.push_back(std::move(pass));
}

/// The default partitioner leaves equal operations apart, min-cut does not.
void mergeSubexpressions(CompileRecord& record) {
    const bool merged = std::ranges::count(record.passes, PassId::commonSubexpressions, &PassRecord::id) > 0;
    if (merged) return;
    const auto start = Clock::now();
    const auto joint = record.graph(GraphKind::joint)->clone();
    PassRecord pass;
    pass.id = PassId::commonSubexpressions;
    pass.help = "merge operations that compute the same";
    pass.changed = eliminateCommonSubexpressions(*joint, pass.merged);
    pass.ms = msSince(start);
    pass.graphs.emplace_back(GraphKind::joint, joint->clone());
    add(record, std::move(pass));
}

}  // namespace

std::shared_ptr<const CompileRecord> splitAgain(const CompileRecord& record, const PartitionOptions& options) {
    if (!record.graph(GraphKind::joint))
        throw Error("the session has no joint graph to split; " +
                    (record.error.empty() ? "it was made without gradients" : record.error));
    auto split = std::make_shared<CompileRecord>(record);
    dropHalves(*split);
    if (options.algorithm == PartitionAlgorithm::minCut) mergeSubexpressions(*split);
    const auto start = Clock::now();
    auto partition =
        std::make_shared<Partition>(partitionJoint(*split->graph(GraphKind::joint), options, rooflineTimes("cpu")));
    PassRecord pass;
    pass.id = PassId::partition;
    pass.help = "split into forward and backward again: what to save, what to recompute";
    pass.changed = true;
    pass.ms = split->times.partition = msSince(start);
    pass.graphs = {{GraphKind::forward, partition->forward}, {GraphKind::backward, partition->backward}};
    add(*split, std::move(pass));
    split->partition = std::move(partition);
    return split;
}

}  // namespace aotscope
