#include "io/tables/guard_table.h"

#include "io/tables/table_of.h"
#include "record/assumptions.h"

namespace aotscope {

namespace {

struct Condition {
    std::string text, kind;
    std::optional<std::string> reason;
    const SourceInfo* source = nullptr;
};

using Cell = Table::Cell;

Cell conditionReason(const Condition& condition) { return condition.reason ? Cell{*condition.reason} : Cell{}; }

Cell sourceFileCell(const Condition& condition) {
    const SourceInfo* source = condition.source;
    return source ? Cell{source->file, source->file + ":" + std::to_string(source->line)} : Cell{};
}

const std::vector<ColumnOf<Condition>>& conditionColumns() {
    static const std::vector<ColumnOf<Condition>> all = {
        {{"text", "valid while",
          "the guard: a condition on the inputs; where it fails, the function is compiled again"},
         [](const Condition& condition) { return Cell{condition.text}; }},
        {{"reason", "why", "what in the program or in its graphs needs the guard"}, conditionReason},
        {{"kind", "about",
          "a size, a number read from data, a data-dependent shape; a tensor, a number, gradients or aliasing of the "
          "inputs; a mode of the caller"},
         [](const Condition& condition) { return Cell{condition.kind}; }},
        {{"source.file", "where", "the operation that required the size or number"}, sourceFileCell},
        {{"source.line", "", "its line"},
         [](const Condition& condition) {
             return condition.source ? Cell{std::int64_t{condition.source->line}} : Cell{};
         }},
        {{"source.text", "", "the text of the line"},
         [](const Condition& condition) { return condition.source ? Cell{condition.source->text} : Cell{}; }},
        {{"source.module", "", "its module"},
         [](const Condition& condition) { return condition.source ? Cell{condition.source->module} : Cell{}; }}};
    return all;
}

}  // namespace

Table guardTable(const CompileRecord& record) {
    std::vector<Condition> conditions;
    for (const Guard& guard : record.guards)
        conditions.push_back({guard.text, std::string(name(guard.kind)),
                              guard.reason.empty() ? std::nullopt : std::optional(guard.reason), guard.source.get()});
    return tableOf("guards", conditionColumns(), conditions);
}

Table assumptionTable(const CompileRecord& record) {
    std::vector<Condition> conditions;
    for (const Assumption& each : assumptionsOf(record))
        conditions.push_back({each.text, std::string(name(each.kind)), each.reason});
    return tableOf("assumptions", conditionColumns(), conditions);
}

}  // namespace aotscope
