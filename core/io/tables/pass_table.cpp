#include "io/tables/pass_table.h"

namespace aotscope {

Table passTable(const CompileRecord& record) {
    Table table{"passes",
                {{"name", "pass", "its name in breakpoints and in --passes"},
                 {"nodes_before", "before", "operations in its graph before it"},
                 {"nodes_after", "after", "operations in its graph after it"},
                 {"changed", "changed", "whether it changed the graph"},
                 {"ms", "time", "how long it took", TableUnit::milliseconds},
                 {"help", "what it does", "a description of the pass"}}};
    for (const PassRecord& pass : record.passes)
        table.add(
            name(pass), pass.nodesBefore, pass.nodesAfter, pass.changed,
            Table::Cell(pass.ms, pass.id == PassId::printed ? "-" : ""),  // passes of printed graphs were not timed
            pass.help);
    return table;
}

}  // namespace aotscope
