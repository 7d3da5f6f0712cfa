#pragma once

#include "record/compile_record.h"
#include "record/results/results.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace aotscope {

/// What one run of a sweep has found: {"run", "forward_ops", "backward_ops", "saved_bytes", "predicted_peak_bytes",
/// "compile_ms", "equal"?, "outputs_max_error"?, "grads_max_error"?, "eager_ms"?, "compiled_ms"?, "ratio"?,
/// "peak_bytes"?}. `compileMs`: loading included. The results may be null.
nlohmann::json sweepPoint(const std::string& run, const CompileRecord& record, double compileMs,
                          const CheckResult* check, const TimingResult* timing);
/// {"run", "error"}
nlohmann::json failedSweepPoint(const std::string& run, const std::string& error);

/// Whether all of a list of points have run, and equal eager where that was checked.
bool allSweepPointsRan(const nlohmann::json& points);
bool allSweepPointsEqual(const nlohmann::json& points);

/// A row for every point, with the columns that any of them has; then the errors.
std::string sweepText(const nlohmann::json& points);
/// The same with all columns, for other programs.
std::string sweepCsv(const nlohmann::json& points);

}  // namespace aotscope
