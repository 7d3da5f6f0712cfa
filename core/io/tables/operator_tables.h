#pragma once

#include "ops/coverage.h"
#include "ops/decompositions/decomposition_table.h"
#include "record/table.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aotscope {

/// The operators whose names contain `pattern`; `uncovered`: only those that need their real kernel.
std::vector<OperatorCoverage> selectOperators(const std::vector<OperatorCoverage>& all, const std::string& pattern,
                                              bool uncovered);

/// A row for each operator.
Table coverageTable(const std::vector<OperatorCoverage>& operators);
/// How many operators trace in each way.
nlohmann::json methodCounts(const std::vector<OperatorCoverage>& operators);

/// The operators that a table decomposes, each with its rule of `rules`; only those whose names contain `pattern`.
Table decompositionsTable(const DecompositionTable& decompositions, const std::vector<DecompositionRule>& rules,
                          const std::string& pattern);

/// The operators that PyTorch decomposes in Python before autograd, and how each is handled here; only those whose
/// names contain `pattern`.
Table pythonKernelsTable(const std::string& pattern);

}  // namespace aotscope
