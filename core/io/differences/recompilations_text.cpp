#include "io/differences/recompilations_text.h"

#include "io/differences/run_difference.h"
#include "io/text_report.h"
#include "ir/printer.h"
#include "support/formatted.h"
#include "support/names.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

using nlohmann::json;

std::string savedText(const CompileRecord& record) {
    return record.partition ? formatBytes(record.partition->savedUniqueBytes()) : "none";
}

std::vector<std::string> rowOf(const CompileRecord& record, const std::string& reason) {
    return {std::to_string(record.compilation), inputsText(record), std::to_string(operationCount(record)),
            savedText(record), reason};
}

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

}  // namespace

std::string inputsText(const CompileRecord& record) {
    std::string text;
    if (!record.metadata) return text;
    for (const InputInfo& input : record.metadata->inputs)
        if (input.role == Role::userInput && input.tensor)
            text += (text.empty() ? "" : ", ") + input.name + " " + printTensorType(*input.tensor);
    return text;
}

std::size_t operationCount(const CompileRecord& record) {
    std::size_t count = 0;
    for (const GraphKind kind : {GraphKind::forward, GraphKind::backward, GraphKind::inference})
        if (const auto graph = record.graph(kind)) count += graph->callCount();
    return count;
}

std::string recompilationsText(const CompileRecord& first, const std::vector<Recompilation>& recompilations) {
    if (recompilations.empty()) return "";
    std::vector<std::vector<std::string>> rows = {{"compilation", "inputs", "operations run", "saved", "made because"},
                                                  rowOf(first, "")};
    for (const Recompilation& r : recompilations) rows.push_back(rowOf(*r.record, r.reason));
    std::string text = textTable(rows);
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
    json list = json::array();
    const CompileRecord* before = &first;
    for (const Recompilation& r : recompilations) {
        json guards = json::array();
        for (const Guard& guard : r.record->guards) guards.push_back(guard.text);
        const RunSummary summary = summaryOf(*r.record);
        list.push_back({{"compilation", r.record->compilation},
                        {"reason", r.reason},
                        {"inputs", inputsText(*r.record)},
                        {"guards", std::move(guards)},
                        {"ops", summary.ops},
                        {"compile_ms", r.record->times.total},
                        {"difference", differenceJson(compare(summaryOf(*before), summary))}});
        before = r.record.get();
    }
    return list;
}

}  // namespace aotscope
