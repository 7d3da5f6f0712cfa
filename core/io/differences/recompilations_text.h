#pragma once

#include "record/results/results.h"
#include "record/table.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aotscope {

/// What the inputs of a compilation are: "x f32[8, 3], y f32[s0]".
std::string inputsText(const CompileRecord& record);

/// Operations of the graphs that run.
std::size_t operationCount(const CompileRecord& record);

/// A row for each compilation, the first included. Empty if nothing was recompiled.
Table compilationTable(const CompileRecord& first, const std::vector<Recompilation>& recompilations);

/// A table of all compilations, the first included: inputs, operations, what is saved, and why it was made; and how
/// each one differs from the one before. Empty if nothing was recompiled.
std::string recompilationsText(const CompileRecord& first, const std::vector<Recompilation>& recompilations);

/// The rows of compilationTable() without the first, with "ops", operations by graph, and "difference" from the
/// compilation before, as differenceJson() has it.
nlohmann::json recompilationsJson(const CompileRecord& first, const std::vector<Recompilation>& recompilations);

}  // namespace aotscope
