#include "models/tables/values_table.h"

#include "io/tables/partition_table.h"

#include <algorithm>

namespace aotscope {

TableContent valuesTable(const CompileRecord& record, const PartitionOptions& asked) {
    static const Partition none;
    const Partition& partition = record.partition ? *record.partition : none;
    Table table = partitionTable(partition, record.graph(GraphKind::joint).get(), asked);
    if (!record.partition) table.summary.clear();
    if (record.metadata && !record.metadata->needsAutograd) table.whenEmpty = "An inference graph saves nothing.";
    // First what costs memory, then what costs time, then what costs nothing.
    std::ranges::stable_sort(table.rows, {}, [](const Table::Row& row) {
        constexpr unsigned saved = 1, recomputed = 2;
        return row.filters & saved ? 0 : row.filters & recomputed ? 1 : 2;
    });
    return contentOf(
        table, {"name", "fate", "bytes", "kept_alive_bytes", "op", "module", "reason", "override", "type", "donated"});
}

}  // namespace aotscope
