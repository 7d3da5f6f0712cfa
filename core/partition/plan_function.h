#pragma once

#include "ir/graph.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aotscope {

/// See PlanSource.
std::vector<std::string> planByFunction(const std::filesystem::path& file, const Graph& joint);

/// Throws UsageError for a plug-in that cannot be used; an empty path is ignored.
void checkPartitionFunction(const std::filesystem::path& file);

}  // namespace aotscope
