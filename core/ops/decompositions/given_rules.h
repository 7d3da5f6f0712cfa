#pragma once

#include "ops/defined_operators.h"

#include <ATen/core/operator_name.h>

#include <unordered_map>

namespace aotscope {

/// Rules for LibTorch's own operators that come with a model (--define). They replace calls before autograd, like those
/// that PyTorch has in Python.
using GivenRules = std::unordered_map<c10::OperatorName, std::shared_ptr<const OperatorDefinition>>;

/// During its lifetime, traces on this thread use `rules`.
class GivenRulesScope {
public:
    explicit GivenRulesScope(const GivenRules& rules);
    ~GivenRulesScope();
    GivenRulesScope(const GivenRulesScope&) = delete;
    GivenRulesScope& operator=(const GivenRulesScope&) = delete;

private:
    const GivenRules* before_;
};

/// Replaces the arguments of `op` on the stack by the results of its rule; false if it has none. A rule that calls the
/// operator itself gets the operator.
bool runGivenRule(const c10::OperatorHandle& op, torch::jit::Stack& stack);

}  // namespace aotscope
