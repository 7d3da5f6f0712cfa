#pragma once

#include "record/compile_record.h"
#include "record/options/options.h"
#include "record/options/plan_file.h"
#include "record/results/results.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace aotscope {

/// The results of a run, as --report writes them to JSON. All but options and record may be absent.
nlohmann::json makeReport(const Options& options, const CompileRecord& record, const CheckResult* check,
                          const TimingResult* timing, const BisectResult* bisect = nullptr,
                          const VariantTiming* against = nullptr);

nlohmann::json crossCheckJson(const CrossCheckReport& report);

/// One graph as JSON: {"schema", "graph", "text", "nodes": [{"id", "name", "op", "args", "type", ...}]}.
nlohmann::json graphJson(const Graph& graph);

}  // namespace aotscope
