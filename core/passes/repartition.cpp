#include "passes/repartition.h"

#include "passes/tail.h"
#include "support/error.h"

#include <algorithm>

namespace aotscope {

namespace {

bool dropsCopies(const CompileRecord& record) {
    return std::ranges::count(record.passes, PassId::dropCopies, &PassRecord::id) > 0;
}

/// Whether a pass belongs to the record's previous partition: Inductor's passes after the joint graph do, and so does
/// merging operations if the requested partitioner gets them unmerged. Copies are dropped again, since merging comes
/// before.
bool isOfPartition(const PassRecord& pass, bool jointIsThere, bool merges) {
    if (pass.id == PassId::partition || pass.id == PassId::dropCopies) return true;
    if (pass.id == PassId::commonSubexpressions) return !merges;
    return pass.id == PassId::printed && jointIsThere;
}

/// The record before its partitioner.
CompileRecord withoutPartition(const CompileRecord& record, bool merges) {
    CompileRecord whole = record;
    std::shared_ptr<const Graph> joint;
    auto pass = whole.passes.begin();
    for (; pass != whole.passes.end() && !isOfPartition(*pass, joint != nullptr, merges); ++pass)
        for (const auto& [kind, graph] : pass->graphs)
            if (kind == GraphKind::joint) joint = graph;
    whole.passes.erase(pass, whole.passes.end());
    if (joint) whole.graphs[GraphKind::joint] = joint;
    whole.graphs.erase(GraphKind::forward);
    whole.graphs.erase(GraphKind::backward);
    whole.partition.reset();
    whole.offendingPath.clear();
    whole.error.clear();
    whole.times.partition = 0;
    return whole;
}

void requireJoint(const CompileRecord& record) {
    if (!record.graph(GraphKind::joint))
        throw Error("the session has no joint graph to split; " +
                    (record.error.empty() ? "it was made without gradients" : record.error));
}

std::string whyNotSplit(const CompileRecord& record) {
    return record.whyNotSplit.empty() ? "" : "the printed joint graph cannot be split: " + record.whyNotSplit;
}

/// The compilers are those that the record has.
RuntimeModel modelFor(const CompileRecord& record, RuntimeModel model) {
    model.compilers = notCompiledYet(record.compilers);
    return model;
}

Tail tailOf(CompileRecord& record, const PartitionOptions& options, const RuntimeModel& model, PlanSource plans) {
    return {.record = record,
            .partition = options,
            .model = modelFor(record, model),
            .plans = std::move(plans),
            .graph = record.graph(GraphKind::joint)};
}

JointToSplit jointToSplit(const CompileRecord& record, PartitionAlgorithm algorithm, PlanSource plans) {
    PartitionOptions options;
    options.algorithm = algorithm;
    options.dropCopies = dropsCopies(record);
    CompileRecord before = withoutPartition(record, mergesOperations(algorithm));
    Tail tail = tailOf(before, options, {}, std::move(plans));
    if (std::string why = whyNotSplit(record); !why.empty())
        return {.graph = tail.graph, .before = tail.graph, .whyNot = std::move(why)};
    prepareSplit(tail, /*verify=*/false);
    return jointIn(tail);
}

}  // namespace

std::shared_ptr<const CompileRecord> repartition(const CompileRecord& record, const PartitionOptions& options,
                                                 const RuntimeModel& model, PlanSource plans) {
    requireJoint(record);
    if (const std::string why = whyNotSplit(record); !why.empty()) throw Error(why);
    auto split = std::make_shared<CompileRecord>(withoutPartition(record, mergesOperations(options.algorithm)));
    Tail tail = tailOf(*split, options, model, std::move(plans));
    runTail(tail, /*verify=*/false);
    return split;
}

std::shared_ptr<const PartitionWhatIf> whatIfOn(const CompileRecord& record, RuntimeModel model, PlanSource plans) {
    requireJoint(record);
    return std::make_shared<const PartitionWhatIf>(jointToSplit(record, PartitionAlgorithm::minCut, plans),
                                                   jointToSplit(record, PartitionAlgorithm::defaultPartition, plans),
                                                   modelFor(record, std::move(model)), record.knownMetadata());
}

}  // namespace aotscope
