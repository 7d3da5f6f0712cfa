#include "passes/repartition.h"

#include "passes/tail.h"
#include "support/error.h"

#include <algorithm>

namespace aotscope {

namespace {

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

}  // namespace

std::shared_ptr<const CompileRecord> repartition(const CompileRecord& record, const PartitionOptions& options) {
    if (!record.graph(GraphKind::joint))
        throw Error("the session has no joint graph to split; " +
                    (record.error.empty() ? "it was made without gradients" : record.error));
    auto split = std::make_shared<CompileRecord>(record);
    dropHalves(*split);
    Tail tail{.record = *split, .partition = options, .graph = split->graph(GraphKind::joint)};
    runTail(tail, /*verify=*/false);
    return split;
}

}  // namespace aotscope
