#pragma once

#include "cost/machine_model.h"
#include "cost/profile/joined_profile.h"
#include "record/compile_record.h"
#include "record/options/options.h"
#include "record/options/plan_file.h"
#include "record/results/results.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// What was found by running a model; null: not asked.
struct ReportedResults {
    const CheckResult* check = nullptr;
    const TimingResult* timing = nullptr;
    const BisectResult* bisect = nullptr;
    const VariantTiming* against = nullptr;
    const JoinedProfile* profile = nullptr;  ///< of other runs, given by the user
};

/// A run as --report writes it to JSON. `machine`: for estimated times of communication, and beside measured ones.
nlohmann::json makeReport(const Options& options, const CompileRecord& record, const MachineSource& machine,
                          const ReportedResults& results = {});

nlohmann::json crossCheckJson(const CrossCheckReport& report);

/// One graph as JSON: {"schema", "graph", "text", "nodes": [{"id", "name", "op", "args", "type", ...}]}.
nlohmann::json graphJson(const Graph& graph);

}  // namespace aotscope
