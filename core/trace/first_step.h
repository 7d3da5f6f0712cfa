#pragma once

#include "ops/dialect.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace aotscope {

/// Under autocast, the body of a scan or while_loop may change the dtype of its carried values in the first step, but a
/// graph has only one dtype for them. In this case, runs the first step outside of the loop, whose condition becomes
/// data that the program reads, and replaces the arguments of `op` on top of `stack` with the results. False for every
/// other call. `mayRead`: data can be read here; throws Error if that is required and impossible.
bool runFirstStepApart(const c10::OperatorHandle& op, torch::jit::Stack& stack, Dialect dialect, bool mayRead);

}  // namespace aotscope
