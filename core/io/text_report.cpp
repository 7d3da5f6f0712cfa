#include "io/text_report.h"

#include "io/tables/partition_table.h"
#include "io/tables/pass_table.h"
#include "io/tables/table_text.h"
#include "io/tables/text_table.h"
#include "ir/runtime_steps.h"
#include "record/history/python_differences.h"
#include "record/partition_figures.h"
#include "record/results/fallback_list.h"
#include "support/names.h"
#include "support/printable.h"
#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

/// "source 5 ops, functional 4 ops, joint 9 ops": the existing graphs. The program as written is included if it is what
/// was opened.
std::string graphCounts(const CompileRecord& record) {
    std::string text;
    for (const auto& [kind, graph] : record.graphs) {
        if (kind == GraphKind::preFunctionalization && record.graphs.size() > 1) continue;
        text += (text.empty() ? "" : ", ") + std::string(name(kind)) + " " + counted(graph->callCount(), "op");
    }
    return text.empty() ? "no graph" : text;
}

}  // namespace

std::string runtimeText(const FunctionMetadata& function, const FunctionMetadata& graph) {
    constexpr std::size_t shown = 8;
    std::string text;
    std::size_t count = 0;
    for (const RuntimeStep& step : describeRuntime(function, graph)) {
        if (step.when == RuntimeStep::When::graph) continue;
        if (++count <= shown) text += std::string(name(step.when)) + " the graph: " + step.text + "\n";
    }
    if (count > shown) text += "... and " + counted(count - shown, "more step") + " around the graph\n";
    return text;
}

std::string summaryText(const CompileRecord& record) {
    std::string text = oneLine(record.model.name) + "  (" + record.model.kind +
                       (record.model.torchVersion.empty() ? "" : ", torch " + record.model.torchVersion) + ")\n";
    for (const auto& warning : warningsOf(record)) text += "warning: " + warning + "\n";
    for (const auto& note : record.notes) text += "note: " + note + "\n";
    for (const auto& difference : pythonDifferences(record)) text += "note: " + difference + "\n";
    if (record.metadata) text += record.metadata->whyAutograd + "\n";
    if (isSequence(record))
        return printable(text) + counted(record.passes.size(), "pass") + ", the last one leaves " +
               counted(record.passes.back().nodesAfter, "operation") + "; load " + formatDuration(record.times.load) +
               "\n";
    text += graphsText(record);
    if (record.metadata) text += runtimeText(*record.metadata, *record.graphMetadata);
    constexpr std::size_t shownGuards = 6;
    for (std::size_t i = 0; i < std::min(record.guards.size(), shownGuards); ++i) {
        const Guard& guard = record.guards[i];
        text += "valid while " + guard.text + (guard.reason.empty() ? "" : "  (" + guard.reason + ")") + "\n";
    }
    if (record.guards.size() > shownGuards)
        text += "... and " + counted(record.guards.size() - shownGuards, "more condition") + "\n";
    text += "pipeline " + formatDuration(record.times.total) + " (metadata " + formatDuration(record.times.metadata) +
            ", joint " + formatDuration(record.times.joint) + ", partition " + formatDuration(record.times.partition) +
            ", compile " + formatDuration(record.times.compile) + "), load " + formatDuration(record.times.load) + "\n";
    for (const auto& [op, count] : record.fallbacks)
        text += "warning: " + op + " has no shape rule; its real kernel ran " +
                counted(static_cast<std::size_t>(count), "time") + " on zeros while tracing\n";
    if (record.dataKernels > 0)
        text += "note: the model reads data; it ran once on the example inputs, with " +
                counted(record.dataKernels, "real kernel") + "\n";
    return printable(text);
}

namespace {

/// Without what a warning says.
std::string planLine(const Partition& partition) {
    const bool found = partition.plan && partition.plan->status != PeakPlan::Status::infeasible;
    return found ? planText(*partition.plan) + "\n" : "";
}

}  // namespace

std::string graphsText(const CompileRecord& record) {
    const std::string counts = graphCounts(record) + "\n";
    if (!record.partition) return counts;
    return counts + std::string(name(record.partition->algorithm)) +
           " partition: " + figuresText(figuresOf(*record.partition)) + "\n" + planLine(*record.partition);
}

std::string passesText(const CompileRecord& record) {
    return oneLine(record.model.name) + ", compilation " + std::to_string(record.compilation) + "\n" +
           tableText(passTable(record));
}

std::string partitionText(const Partition& partition, std::size_t largest) {
    Partition sorted = partition;
    std::ranges::stable_sort(sorted.saved, std::ranges::greater{},
                             [](const SavedValue& value) { return value.type.bytes(); });
    Table table = partitionTable(sorted, nullptr, {});
    table.rows.resize(std::min(largest, sorted.saved.size()));
    table.columns.front().title = "saved";
    const std::size_t smaller = sorted.saved.size() - table.rows.size();
    table.summary = smaller > 0 ? "... and " + std::to_string(smaller) + " smaller ones\n" : "";
    return tableText(withColumns(table, {"name", "op", "type", "bytes", "kind", "reason"}));
}

namespace {

struct Verdict {
    std::string equal;
    std::string compilation;
};

Verdict verdictOf(const SizeCheck& check) {
    if (!check.refused.empty()) return {"not compared", "eager does not run: " + check.refused};
    return {check.ok ? "yes" : "NO", check.recompiled ? "recompiled: " + check.reason : "the same"};
}

std::string sizesText(const CheckResult& check, const std::string& reference) {
    if (check.sizes.empty()) return "";
    std::vector<std::vector<std::string>> rows = {{"sizes", "equal to " + reference, "compilation"}};
    for (const SizeCheck& c : check.sizes) {
        std::string sizes;
        for (const auto& [symbol, value] : c.sizes)
            sizes += (sizes.empty() ? "" : ", ") + symbol + "=" + std::to_string(value);
        auto [equal, compilation] = verdictOf(c);
        rows.push_back({sizes, std::move(equal), std::move(compilation)});
    }
    return textTable(rows) + counted(static_cast<std::size_t>(check.hits), "hit") + ", " +
           counted(static_cast<std::size_t>(check.misses), "miss") + " (recompilations)\n";
}

}  // namespace

std::string checkText(const CheckResult& check, const std::string& reference) {
    std::string text = "check: ";
    const std::string failure = check.backwardError.empty() ? "" : backwardFailure(check, reference);
    switch (check.verdict()) {
        case CheckVerdict::equal: text += "equal to " + reference; break;
        case CheckVerdict::differs: text += "DIFFERS from " + reference; break;
        case CheckVerdict::notCompared: text += "not compared: " + failure; break;
    }
    text += formatted(" (outputs within %.2g", check.outputsMaxError);
    if (failure.empty()) text += formatted(", gradients within %.2g", check.gradsMaxError);
    if (!check.backwardRun) text += failure.empty() ? "; no backward to run" : "; no gradients";
    for (const std::string& clause : equallyNotFinite(check)) text += "; " + clause;
    const std::string instead = whatRanInstead(check.compilers);
    text += ")" + (instead.empty() ? "" : "; " + instead) + "\n";
    if (check.verdict() == CheckVerdict::differs && !failure.empty()) text += "  " + failure + "\n";
    for (const auto& detail : check.details) text += "  " + detail + "\n";
    for (const CheckedValue& value : check.values)
        if (const std::string why = whyNotCompared(value); !why.empty()) text += "  " + value.what + ": " + why + "\n";
    for (const std::string& note : check.notes) text += "  note: " + note + "\n";
    return printable(text + sizesText(check, reference));
}

std::string compilersText(const std::vector<CompilerUse>& compilers) {
    std::string text;
    for (const CompilerUse& use : compilers) {
        text += (text.empty() ? "compilers: " : ", ") + std::string(name(use.graph)) + " " + use.used;
        std::size_t nodes = 0;
        for (const auto& group : use.groups) nodes += group.size();
        if (nodes > 0) text += " (" + counted(use.groups.size(), "kernel") + " for " + counted(nodes, "node") + ")";
    }
    if (!text.empty()) text += "\n";
    return printable(text) + fallbackText(fallbacksOf(compilers));
}

std::string fallbackText(const std::vector<std::string>& fallbacks) {
    std::string text;
    for (const std::string& fallback : fallbacks) text += "warning: " + fallback + "\n";
    return printable(text);
}

const std::vector<CompilerUse>& compilersIn(const CompileRecord& record, const CheckResult* check,
                                            const TimingResult* timing) {
    if (timing && !timing->compilers.empty()) return timing->compilers;
    return check && !check->compilers.empty() ? check->compilers : record.compilers;
}

std::string bisectText(const BisectResult& result) {
    std::string text = "bisect: " + describe(result) + "\n";
    for (const auto& output : result.outputs) text += "  " + describe(output) + "\n";
    for (const auto& note : result.notes) text += "  note: " + note + "\n";
    return printable(text);
}

std::string crossCheckText(const CrossCheckReport& report) {
    int skipped = 0;
    for (const auto& [reason, count] : report.skipped) skipped += count;
    std::string text = "fake results: " + std::to_string(report.checked) + " compared with the real kernel's, " +
                       counted(report.mismatches.size(), "distinct mismatch") + ", " + std::to_string(skipped) +
                       " not compared\n";
    for (const FakeMismatch& m : report.mismatches)
        text += "  " + m.op + ": " + m.found + ", expected " + m.expected + " (" +
                counted(static_cast<std::size_t>(m.count), "time") + ")\n";
    for (const auto& [reason, count] : report.skipped)
        text += "  not compared: " + reason + " (" + counted(static_cast<std::size_t>(count), "time") + ")\n";
    return text;
}

}  // namespace aotscope
