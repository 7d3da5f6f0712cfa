#pragma once

#include "record/compile_record.h"
#include "record/results/results.h"
#include "record/table.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace aotscope {

/// The results of one run of a sweep, with the keys of sweepTable(). `compileMs`: including loading. The results may be
/// null.
nlohmann::json sweepPoint(const std::string& run, const CompileRecord& record, double compileMs,
                          const CheckResult* check, const TimingResult* timing);
/// {"run", "error"}
nlohmann::json failedSweepPoint(const std::string& run, const std::string& error);

/// Whether all points of a list have run, and match eager where checked.
bool allSweepPointsRan(const nlohmann::json& points);
bool allSweepPointsEqual(const nlohmann::json& points);

/// A row for every point with its results; errors below.
Table sweepTable(const nlohmann::json& points);

}  // namespace aotscope
