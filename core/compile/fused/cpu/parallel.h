#pragma once

#include <c10/util/FunctionRef.h>

#include <cstdint>

namespace aotscope {

/// Calls `f(begin, end)` for parts of [0, count) on LibTorch's threads, each at least `grain` long.
void parallelFor(std::int64_t count, std::int64_t grain, c10::function_ref<void(std::int64_t, std::int64_t)> f);

}  // namespace aotscope
