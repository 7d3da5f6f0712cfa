#pragma once

#include "record/compile_record.h"
#include "record/options.h"
#include "record/results.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace aotscope {

inline constexpr int kReportSchema = 1;

/// What a run found out, as the JSON document of --report. All but options and record may be absent.
nlohmann::json makeReport(const Options& options, const CompileRecord& record, const CheckResult* check,
                          const TimingResult* timing, const BisectResult* bisect = nullptr,
                          const VariantTiming* against = nullptr);

/// Indented, ends with a line break; bytes that are no UTF-8 (a path's) are replaced.
std::string jsonText(const nlohmann::json& document);

/// One graph as JSON: {"schema", "graph", "text", "nodes": [{"id", "name", "op", "args", "type", ...}]}.
nlohmann::json graphJson(const Graph& graph);

}  // namespace aotscope
