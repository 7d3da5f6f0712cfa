#include "io/differences/recompilations_text.h"

#include "io/differences/run_difference.h"
#include "io/tables/table_text.h"
#include "ir/printer.h"
#include "support/formatted.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

using nlohmann::json;
using Cell = Table::Cell;

/// "forward: aten.mm.default 2 instead of 1, ...; saved 2 kB instead of 4 kB".
std::string shortDifference(const SummaryDifference& difference) {
    std::vector<std::string> parts;
    for (const char* graph : {"forward", "backward", "inference"}) {
        const auto changed = difference.ops.find(graph);
        if (changed == difference.ops.end()) continue;
        std::string part;
        for (const auto& [op, count] : changed->second)
            part += (part.empty() ? std::string(graph) + ": " : ", ") + op + " " + std::to_string(count.after) +
                    " instead of " + std::to_string(count.before);
        parts.push_back(std::move(part));
    }
    if (difference.savedBytesBefore != difference.savedBytesAfter)
        parts.push_back("saved: " + formatBytes(difference.savedBytesAfter) + " instead of " +
                        formatBytes(difference.savedBytesBefore));
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
    return text.empty() ? "the same operations" : text;
}

/// The inputs of a compilation: "x f32[8, 3], y f32[s0]".
std::string inputsText(const CompileRecord& record) {
    std::string text;
    if (!record.metadata) return text;
    for (const InputInfo& input : record.metadata->inputs)
        if (input.role == Role::userInput && input.tensor)
            text += (text.empty() ? "" : ", ") + input.name + " " + printTensorType(*input.tensor);
    return text;
}

/// The number of operations in the executed graphs.
std::size_t operationCount(const CompileRecord& record) {
    std::size_t count = 0;
    for (const GraphKind kind : {GraphKind::forward, GraphKind::backward, GraphKind::inference})
        if (const auto graph = record.graph(kind)) count += graph->callCount();
    return count;
}

}  // namespace

Table compilationTable(const CompileRecord& first, const std::vector<Recompilation>& recompilations) {
    Table table{"recompilations",
                {{"compilation", "compilation", "0 is the shown run; the others were compiled for other inputs"},
                 {"reason", "made because", "the assumption of compilation 0 that the inputs do not meet"},
                 {"inputs", "inputs", "their dtypes and shapes"},
                 {"guards", "guards", "conditions on sizes and data; displayed as their number"},
                 {"operations", "operations run", "by forward and backward together"},
                 {"saved_bytes", "saved", "memory that forward keeps for backward", TableUnit::bytes},
                 {"compile_ms", "compiled in", "all passes", TableUnit::milliseconds}}};
    const auto add = [&](const CompileRecord& record, const std::string& reason) {
        std::vector<std::string> guards;
        for (const Guard& guard : record.guards) guards.push_back(guard.text);
        table.add(record.compilation, reason, inputsText(record), Cell(guards, std::to_string(guards.size())),
                  operationCount(record),
                  record.partition ? Cell(record.partition->savedUniqueBytes()) : Cell({}, "none"), record.times.total);
    };
    if (!recompilations.empty()) add(first, {});
    for (const Recompilation& r : recompilations) add(*r.record, r.reason);
    return table;
}

std::string recompilationsText(const CompileRecord& first, const std::vector<Recompilation>& recompilations) {
    if (recompilations.empty()) return "";
    std::string text = tableText(withColumns(compilationTable(first, recompilations),
                                             {"compilation", "inputs", "operations", "saved_bytes", "reason"}));
    const CompileRecord* before = &first;
    for (const Recompilation& r : recompilations) {
        text += "compilation " + std::to_string(r.record->compilation) + " against " +
                std::to_string(before->compilation) + ": " +
                shortDifference(compare(summaryOf(*before), summaryOf(*r.record))) + "\n";
        before = r.record.get();
    }
    return text;
}

json recompilationsJson(const CompileRecord& first, const std::vector<Recompilation>& recompilations) {
    json list = tableJson(compilationTable(first, recompilations));
    if (!list.empty()) list.erase(std::size_t{0});
    const CompileRecord* before = &first;
    for (std::size_t i = 0; i < recompilations.size(); ++i) {
        const Recompilation& r = recompilations[i];
        const RunSummary summary = summaryOf(*r.record);
        list[i]["ops"] = summary.ops;
        list[i]["difference"] = differenceJson(compare(summaryOf(*before), summary));
        before = r.record.get();
    }
    return list;
}

}  // namespace aotscope
