#include "io/tables/memory_table.h"

namespace aotscope {

Table liveValueTable(const LiveMemory& memory, std::size_t point) {
    Table table{"live_at_peak",
                {{"node", "value", "a node whose value is in memory at this moment"},
                 {"bytes", "bytes", "size of its storage", TableUnit::bytes, false, true},
                 {"kind", "kind", "why it is in memory: saved for backward, an activation, a gradient"},
                 {"op", "operation", "the operation that computed it"},
                 {"module", "module", "the module that the operation belongs to"},
                 {"label", "", "the name of an input in the model"}}};
    table.whenEmpty = "No live values here.";
    if (point >= memory.curve.size()) return table;
    for (const LiveValue& live : memory.liveAt(point))
        table
            .add(Table::Cell(live.name, live.label.empty() ? "%" + live.name : live.label), live.bytes, name(live.kind),
                 live.op, Table::given(live.module), Table::given(live.label))
            .node = live.node;
    return table;
}

}  // namespace aotscope
