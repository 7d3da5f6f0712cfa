#pragma once

#include "ops/coverage.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace aotscope {

TraceMethod traceMethod(const c10::OperatorHandle& op);

/// Whether results or their shapes depend on the values of arguments, for any arguments.
bool dependsOnData(const c10::OperatorHandle& op);

}  // namespace aotscope
