#pragma once

#include "ops/operator_policy.h"

#include <string_view>

namespace torch::jit {
struct CompilationUnit;
struct Module;
}  // namespace torch::jit

namespace aotscope {

/// Reports every node of every method and function of a module to `judge`. Exact, since LibTorch has already resolved
/// the operators; so far, only code that judgeCodeRunAtLoad() allows has run.
void judgeCompiledCode(const torch::jit::Module& module, OperatorJudge& judge);
void judgeCompiledCode(const torch::jit::CompilationUnit& unit, OperatorJudge& judge);

/// Reports the C++ classes of objects in a pickle to `judge`: their __setstate__ runs while LibTorch reads it. The
/// pickle must have been checked.
void judgePickledClasses(std::string_view pickle, OperatorJudge& judge);

}  // namespace aotscope
