#pragma once

#include "record/results/results.h"
#include "record/table.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aotscope {

/// A row for each compilation, including the first. Empty without recompilations.
Table compilationTable(const CompileRecord& first, const std::vector<Recompilation>& recompilations);

/// A table of all compilations, including the first: inputs, operations, saved memory, the reason, and the difference
/// from the previous one. Empty without recompilations.
std::string recompilationsText(const CompileRecord& first, const std::vector<Recompilation>& recompilations);

/// The rows of compilationTable() except the first, with "ops", operations by graph, and "difference", the
/// differenceJson() from the previous compilation.
nlohmann::json recompilationsJson(const CompileRecord& first, const std::vector<Recompilation>& recompilations);

}  // namespace aotscope
