#include "io/tables/memory_table.h"

#include "io/tables/table_of.h"

namespace aotscope {

namespace {

using Cell = Table::Cell;

Cell givenText(const std::string& text) { return text.empty() ? Cell{} : Cell{text}; }

const std::vector<ColumnOf<LiveValue>>& liveColumns() {
    using Live = LiveValue;
    static const std::vector<ColumnOf<Live>> all = {
        {{"node", "value", "a node whose value is in memory at this moment"},
         [](const Live& live) {
             return Cell{live.name, live.label.empty() ? "%" + live.name : live.label};
         }},
        {{"bytes", "bytes", "size of its storage", TableUnit::bytes},
         [](const Live& live) { return Cell{live.bytes}; }},
        {{"kind", "kind", "why it is in memory: saved for backward, an activation, a gradient"},
         [](const Live& live) { return Cell{std::string(name(live.kind))}; }},
        {{"op", "operation", "the operation that computed it"}, [](const Live& live) { return Cell{live.op}; }},
        {{"module", "module", "the module that the operation belongs to"},
         [](const Live& live) { return givenText(live.module); }},
        {{"label", "", "the name of an input in the model"}, [](const Live& live) { return givenText(live.label); }}};
    return all;
}

}  // namespace

Table liveValueTable(const LiveMemory& memory, std::size_t point) {
    const std::vector<LiveValue> live = point < memory.curve.size() ? memory.liveAt(point) : std::vector<LiveValue>();
    Table table = tableOf("live_at_peak", liveColumns(), live);
    for (std::size_t i = 0; i < live.size(); ++i) table.rows[i].node = live[i].node;
    table.whenEmpty = "No live values here.";
    return table;
}

}  // namespace aotscope
