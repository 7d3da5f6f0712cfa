#pragma once

#include "ops/dialect.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace aotscope {

/// Under autocast, the body of a scan or while_loop may return what it carries in another dtype than it takes, from the
/// second step on the same one: a graph has one dtype for it. Runs the first step outside of the loop then, whose
/// condition becomes data that the program reads, and replaces the arguments of `op` on top of `stack` with the
/// results. False for every other call. `mayRead`: data can be read here; throws Error where it has to be and cannot.
bool runFirstStepApart(const c10::OperatorHandle& op, torch::jit::Stack& stack, Dialect dialect, bool mayRead);

}  // namespace aotscope
