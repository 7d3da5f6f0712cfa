#pragma once

#include "record/compile_record.h"
#include "record/results/results.h"
#include "record/table.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace aotscope {

/// What one run of a sweep has found, with the keys of sweepTable(). `compileMs`: loading included. The results may be
/// null.
nlohmann::json sweepPoint(const std::string& run, const CompileRecord& record, double compileMs,
                          const CheckResult* check, const TimingResult* timing);
/// {"run", "error"}
nlohmann::json failedSweepPoint(const std::string& run, const std::string& error);

/// Whether all of a list of points have run, and equal eager where that was checked.
bool allSweepPointsRan(const nlohmann::json& points);
bool allSweepPointsEqual(const nlohmann::json& points);

/// A row for every point, with what it has; below, the errors.
Table sweepTable(const nlohmann::json& points);

}  // namespace aotscope
