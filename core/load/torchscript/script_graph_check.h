#pragma once

#include "ops/operator_policy.h"

namespace torch::jit {
struct CompilationUnit;
struct Module;
}  // namespace torch::jit

namespace aotscope {

/// Reports every node of every method and function of a module to `judge`. Exact, since LibTorch has already resolved
/// the operators; so far, only code that judgeCodeRunAtLoad() allows has run.
void judgeCompiledCode(const torch::jit::Module& module, OperatorJudge& judge);
void judgeCompiledCode(const torch::jit::CompilationUnit& unit, OperatorJudge& judge);

}  // namespace aotscope
