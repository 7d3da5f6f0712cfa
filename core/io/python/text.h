#pragma once

#include "record/options/options.h"
#include "record/results/results.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

struct DecompositionTable;
struct DecompositionRule;

// Python code that the window copies.

/// Python code that makes PyTorch partition the model like `options`, through the Python package: a plan with all
/// non-default options of graphs and partition, and the use of its partitioner.
std::string partitionAsPython(const Options& options);

/// Code that creates the example inputs of `spec` like a run with `options`, with the same random numbers, and the
/// dynamic shapes for torch.export. `names`: the model's input names.
std::string inputsAsPython(const InputSpec& spec, const std::vector<std::string>& names, const Options& options);

/// Code that creates PyTorch's decomposition table corresponding to `table`, which takes of `rules`; null: no
/// decompositions.
std::string decompositionsAsPython(const DecompositionTable* table, const std::vector<DecompositionRule>& rules);

/// Code that repeats a check of the model of `options` through the Python package, after the results of this check.
/// `bisection` may be null.
std::string checkAsPython(const Options& options, const CheckResult* check, const BisectResult* bisection);

/// Code that reproduces a debugger's stop, which `sentence` describes: by searching for the first NaN, or by a check.
/// `alone`: code that runs the operation in isolation, or empty.
std::string stopAsPython(const Options& options, std::string_view sentence, bool firstNaN, const std::string& alone);

/// A value in Python syntax: strings, numbers and lists are written as in JSON.
std::string pythonLiteral(const nlohmann::json& value);
/// A one-line comment, whatever the text.
std::string pythonComment(std::string_view text);

}  // namespace aotscope
