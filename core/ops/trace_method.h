#pragma once

#include "ops/coverage.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace aotscope {

TraceMethod traceMethod(const c10::OperatorHandle& op);

}  // namespace aotscope
