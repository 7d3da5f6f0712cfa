#pragma once

#include <c10/util/FunctionRef.h>

#include <cstdint>

namespace aotscope {

/// Calls `f(begin, end)` for parts of 0 to count on LibTorch's threads, in parts of at least `grain`.
void parallelFor(std::int64_t count, std::int64_t grain, c10::function_ref<void(std::int64_t, std::int64_t)> f);

}  // namespace aotscope
