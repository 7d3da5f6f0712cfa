#pragma once

#include "ops/coverage.h"
#include "ops/decompositions/decomposition_table.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aotscope {

/// The operators whose names contain `pattern`; `uncovered`: only those that need their real kernel.
std::vector<OperatorCoverage> selectOperators(const std::vector<OperatorCoverage>& all, const std::string& pattern,
                                              bool uncovered);

/// A table, one row an operator, and a line of counts.
std::string coverageText(const std::vector<OperatorCoverage>& operators);
nlohmann::json coverageJson(const std::vector<OperatorCoverage>& operators);

/// The operators that a table decomposes, each with its rule; only those whose names contain `pattern`.
std::string decompositionText(const DecompositionTable& table, const std::string& pattern);
nlohmann::json decompositionJson(const DecompositionTable& table, const std::string& pattern);

/// The operators that PyTorch takes apart in Python before autograd, and what becomes of each here; only those whose
/// names contain `pattern`.
std::string pythonKernelText(const std::string& pattern);
nlohmann::json pythonKernelJson(const std::string& pattern);

}  // namespace aotscope
