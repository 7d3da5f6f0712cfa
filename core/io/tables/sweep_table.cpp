#include "io/sweep_text.h"

#include "cost/live_memory.h"
#include "io/csv.h"
#include "io/text_report.h"
#include "support/formatted.h"
#include "support/json/json_text.h"
#include "support/names.h"
#include "support/quoted.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace aotscope {

using nlohmann::json;

namespace {

std::string countText(const json& value) { return grouped(value.get<std::size_t>()); }
std::string bytesText(const json& value) { return formatBytes(value.get<std::int64_t>()); }
std::string durationText(const json& value) { return formatDuration(value.get<double>()); }
std::string numberText(const json& value) {
    return formatted("%.3g", jsonNumber(value).value_or(std::numeric_limits<double>::quiet_NaN()));
}
std::string equalText(const json& value) { return value.get<bool>() ? "equal" : "DIFFERENT"; }
std::string plainText(const json& value) { return value.get<std::string>(); }

struct SweepColumn {
    const char *key, *title;
    std::string (*text)(const json& value);
};
constexpr SweepColumn kSweepColumns[] = {
    {"run", "run", plainText},
    {"forward_ops", "forward", countText},
    {"backward_ops", "backward", countText},
    {"saved_bytes", "saved", bytesText},
    {"predicted_peak_bytes", "predicted peak", bytesText},
    {"compile_ms", "compile", durationText},
    {"equal", "check", equalText},
    {"outputs_max_error", "outputs differ by", numberText},
    {"grads_max_error", "gradients differ by", numberText},
    {"eager_ms", "eager", durationText},
    {"compiled_ms", "compiled", durationText},
    {"ratio", "ratio", numberText},
    {"peak_bytes", "peak memory", bytesText},
};

std::size_t callsIn(const CompileRecord& record, GraphKind kind) {
    const auto graph = record.graph(kind);
    return graph ? graph->callCount() : 0;
}

std::string csvText(const json& value) { return value.is_string() ? value.get<std::string>() : jsonLine(value); }

}  // namespace

json sweepPoint(const std::string& run, const CompileRecord& record, double compileMs, const CheckResult* check,
                const TimingResult* timing) {
    const bool joint = record.graph(GraphKind::forward) != nullptr;
    json point = {{"run", run},
                  {"forward_ops", callsIn(record, joint ? GraphKind::forward : GraphKind::inference)},
                  {"backward_ops", callsIn(record, GraphKind::backward)},
                  {"compile_ms", compileMs}};
    if (record.partition) point["saved_bytes"] = record.partition->savedUniqueBytes();
    if (const auto memory = liveMemory(record)) point["predicted_peak_bytes"] = memory->peakBytes;
    if (check) {
        point["equal"] = check->verdict() == CheckVerdict::equal;
        point["outputs_max_error"] = check->outputsMaxError;
        point["grads_max_error"] = check->gradsMaxError;
    }
    if (timing) {
        point["eager_ms"] = timing->eagerStepMs.median;
        point["compiled_ms"] = timing->compiledStepMs.median;
        point["ratio"] = timing->stepRatio.median;
        point["peak_bytes"] = timing->compiledPeakBytes;
    }
    return point;
}

json failedSweepPoint(const std::string& run, const std::string& error) { return {{"run", run}, {"error", error}}; }

bool allSweepPointsRan(const json& points) {
    return std::ranges::none_of(points, [](const json& point) { return point.contains("error"); });
}

bool allSweepPointsEqual(const json& points) {
    return std::ranges::all_of(points, [](const json& point) { return point.value("equal", true); });
}

std::string sweepText(const json& points) {
    std::vector<const SweepColumn*> columns;
    for (const SweepColumn& column : kSweepColumns)
        if (std::ranges::any_of(points, [&](const json& point) { return point.contains(column.key); }))
            columns.push_back(&column);
    std::vector<std::vector<std::string>> table(1);
    for (const SweepColumn* column : columns) table[0].emplace_back(column->title);
    for (const json& point : points) {
        std::vector<std::string> row;
        for (const SweepColumn* column : columns)
            row.push_back(point.contains(column->key) ? column->text(point[column->key]) : std::string("-"));
        if (point.contains("error") && row.size() > 1) row[1] = "failed";
        table.push_back(std::move(row));
    }
    std::string text = textTable(table);
    for (const json& point : points)
        if (point.contains("error"))
            text += oneLine(point["run"].get<std::string>() + ": " + point["error"].get<std::string>()) + "\n";
    return text;
}

std::string sweepCsv(const json& points) {
    std::vector<std::string> cells;
    for (const SweepColumn& column : kSweepColumns) cells.emplace_back(column.key);
    cells.emplace_back("error");
    std::string text = csvLine(cells);
    for (const json& point : points) {
        cells.clear();
        for (const SweepColumn& column : kSweepColumns)
            cells.push_back(point.contains(column.key) ? csvText(point[column.key]) : std::string());
        cells.push_back(point.contains("error") ? csvText(point["error"]) : std::string());
        text += csvLine(cells);
    }
    return text;
}

}  // namespace aotscope
