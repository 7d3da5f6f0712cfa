#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace aotscope {

inline constexpr int kReportSchema = 1;  ///< of reports of runs

/// The values that a plan saves, by name: from a report of 'aotscope run' or 'aotscope partition', or {"saved":
/// ["NAME", ...]}. Throws Error naming the file and the problem.
std::vector<std::string> readPlan(const std::filesystem::path& file);

}  // namespace aotscope
