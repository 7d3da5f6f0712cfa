#pragma once

#include "ops/operator_policy.h"

#include <string_view>

namespace torch::jit {
struct Module;
}

namespace aotscope {

/// Asks `judge` for every node of every method and function that came with a module: exact, now that LibTorch has
/// chosen the operators, and before anything but what judgeCodeRunAtLoad() allows has run.
void judgeCompiledCode(const torch::jit::Module& module, OperatorJudge& judge);

/// Asks `judge` for the classes of C++ whose objects a pickle makes: their __setstate__ runs while LibTorch reads it.
/// The pickle has been found sound.
void judgePickledClasses(std::string_view pickle, OperatorJudge& judge);

}  // namespace aotscope
