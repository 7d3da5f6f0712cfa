#include "io/tables/sweep_table.h"

#include "cost/live_memory.h"
#include "support/json/json_text.h"
#include "support/quoted.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace aotscope {

using nlohmann::json;

namespace {

std::vector<Table::Column> sweepColumns() {
    constexpr TableUnit bytes = TableUnit::bytes, ms = TableUnit::milliseconds;
    return {{"run", "run", "the model and options, as in the file"},
            {"forward_ops", "forward", "operations of forward"},
            {"backward_ops", "backward", "operations of backward"},
            {"saved_bytes", "saved", "what forward keeps in memory for backward", bytes},
            {"predicted_peak_bytes", "predicted peak", "without parameters, inputs and tangents", bytes},
            {"compile_ms", "compile", "to load the model and compile it", ms},
            {"equal", "check", "whether the compiled model computes what eager does"},
            {"outputs_max_error", "outputs differ by", "the largest distance from eager"},
            {"grads_max_error", "gradients differ by", "the largest distance from eager"},
            {"eager_ms", "eager", "median of a step", ms},
            {"compiled_ms", "compiled", "median of a step", ms},
            {"ratio", "ratio", "compiled by eager, median over pairs of runs"},
            {"peak_bytes", "peak memory", "peak of allocations of the compiled model", bytes},
            {"error", "", "why the other columns are empty"}};
}

/// A non-finite number is a string in JSON.
Table::Cell cellOf(const std::string& key, const json& value) {
    if (value.is_boolean()) return {value.get<bool>(), value.get<bool>() ? "equal" : "DIFFERENT"};
    if (value.is_number_integer()) return {value.get<std::int64_t>()};
    if (key == "run" || key == "error") return {value.get<std::string>()};
    return {jsonNumber(value).value_or(std::numeric_limits<double>::quiet_NaN())};
}

std::size_t callsOfGraph(const CompileRecord& record, GraphKind kind) {
    const auto graph = record.graph(kind);
    return graph ? graph->callCount() : 0;
}

}  // namespace

json sweepPoint(const std::string& run, const CompileRecord& record, double compileMs, const CheckResult* check,
                const TimingResult* timing) {
    const bool joint = record.graph(GraphKind::forward) != nullptr;
    json point = {{"run", run},
                  {"forward_ops", callsOfGraph(record, joint ? GraphKind::forward : GraphKind::inference)},
                  {"backward_ops", callsOfGraph(record, GraphKind::backward)},
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

Table sweepTable(const json& points) {
    Table table{"points", sweepColumns()};
    for (const json& point : points) {
        std::vector<Table::Cell>& cells = table.rows.emplace_back().cells;
        for (const Table::Column& column : table.columns)
            cells.push_back(point.contains(column.key) ? cellOf(column.key, point[column.key]) : Table::Cell{});
        if (!point.contains("error")) continue;
        cells[1].text = "failed";
        table.summary += oneLine(point["run"].get<std::string>() + ": " + point["error"].get<std::string>()) + "\n";
    }
    return table;
}

}  // namespace aotscope
