#include "io/tables/guard_table.h"

#include "record/assumptions.h"

namespace aotscope {

namespace {

using Cell = Table::Cell;

Table conditionTable(std::string key) {
    return {std::move(key),
            {{"text", "valid while",
              "the guard: a condition on the inputs; where it fails, the function is compiled again"},
             {"reason", "why", "what in the program or in its graphs needs the guard"},
             {"kind", "about",
              "a size, a number read from data, a data-dependent shape; a tensor, a number, gradients or aliasing of "
              "the inputs; a mode of the caller"},
             {"source.file", "where", "the operation that required the size or number"},
             {"source.line", "", "its line"},
             {"source.text", "", "the text of the line"},
             {"source.module", "", "its module"}}};
}

}  // namespace

Table guardTable(const CompileRecord& record) {
    Table table = conditionTable("guards");
    for (const Guard& guard : record.guards) {
        std::vector<Cell>& cells = table.add(guard.text, Table::given(guard.reason), name(guard.kind)).cells;
        if (const SourceInfo* source = guard.source.get())
            cells.insert(cells.end(), {Cell(source->file, source->file + ":" + std::to_string(source->line)),
                                       source->line, source->text, source->module});
        cells.resize(table.columns.size());
    }
    return table;
}

Table assumptionTable(const CompileRecord& record) {
    Table table = conditionTable("assumptions");
    for (const Assumption& each : assumptionsOf(record))
        table.add(each.text, each.reason, name(each.kind)).cells.resize(table.columns.size());
    return table;
}

}  // namespace aotscope
