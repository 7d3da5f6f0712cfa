#pragma once

#include "support/rule_arguments.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <map>
#include <optional>

namespace aotscope::test {

bool isOperator(const std::string& name);
c10::OperatorHandle operatorNamed(const std::string& name);  ///< of "aten::add.Tensor"

/// Calls the kernels themselves, without autograd. Throws what they throw.
Values call(const std::string& name, Values arguments);

/// The properties of an operation's results: dtypes, sizes, strides, and with which argument or earlier result each
/// shares its memory.
std::string describe(const Values& results, const Values& arguments);

/// The arguments of a call in one line: tensors as by describe(), other values as LibTorch prints them.
std::string printed(const Values& arguments);

/// The results that tracing predicts. Throws what tracing throws.
std::string foretell(const std::string& name, const Values& arguments);

/// The prediction of tracing for a call, and the results of its kernel.
struct Outcome {
    std::string arguments, foretold, real;
    std::map<std::string, int> fallbacks;  ///< operators for which tracing ran a real kernel
};

/// Calls `name` with random arguments. Nothing if the kernel refuses them; errors of tracing are in `foretold`.
std::optional<Outcome> tryOperator(const std::string& name, Random& random);

/// Tries random arguments until the kernel has accepted `wanted` of them.
struct Trials {
    int accepted = 0, differing = 0;
    std::string firstDifference;
    std::map<std::string, int> fallbacks;
};
Trials tryOperator(const std::string& name, int wanted);

}  // namespace aotscope::test
