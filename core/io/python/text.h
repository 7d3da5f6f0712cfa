#pragma once

#include "record/options/options.h"
#include "record/results/results.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

class DecompositionTable;

// What the window copies as lines of Python.

/// A few lines of Python that have PyTorch partition the model of `options` as they say, through the Python package: a
/// plan, by every option of graphs and partition that is not the default, and where its partitioner goes.
std::string partitionAsPython(const Options& options);

/// Lines that make the example inputs of `spec` as a run of `options` does, with the same random numbers, and for
/// torch.export the sizes that may vary. `names`: those of the model's inputs.
std::string inputsAsPython(const InputSpec& spec, const std::vector<std::string>& names, const Options& options);

/// Lines that make the table of PyTorch's decompositions that corresponds to `table`; null: nothing is decomposed.
std::string decompositionsAsPython(const DecompositionTable* table);

/// Lines that check the model of `options` again, through the Python package, below what this check has found.
/// `bisection` may be null.
std::string checkAsPython(const Options& options, const CheckResult* check, const BisectResult* bisection);

/// Lines that come to what a debugger has stopped at, which `sentence` describes: by looking for the first NaN, or by a
/// check. `alone`: lines that run the operation by itself, or empty.
std::string stopAsPython(const Options& options, std::string_view sentence, bool firstNaN, const std::string& alone);

/// A value as Python writes it: strings, numbers and lists are written as in JSON.
std::string pythonLiteral(const nlohmann::json& value);
/// A comment of one line, whatever the text.
std::string pythonComment(std::string_view text);

}  // namespace aotscope
