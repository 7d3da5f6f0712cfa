#pragma once

#include "ops/coverage.h"
#include "ops/decomposition_table.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aotscope {

/// The operators whose names contain `pattern`; `uncovered`: only those for which a real kernel has to run.
std::vector<OperatorCoverage> selectOperators(const std::vector<OperatorCoverage>& all, const std::string& pattern,
                                              bool uncovered);

/// A table, one row an operator, and a line of counts.
std::string coverageText(const std::vector<OperatorCoverage>& operators);
nlohmann::json coverageJson(const std::vector<OperatorCoverage>& operators);

/// What a table decomposes and by which rule, as far as the operators' names contain `pattern`.
std::string decompositionText(const DecompositionTable& table, const std::string& pattern);
nlohmann::json decompositionJson(const DecompositionTable& table, const std::string& pattern);

}  // namespace aotscope
