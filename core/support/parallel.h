#pragma once

#include "support/progress.h"

#include <cstddef>
#include <functional>

namespace aotscope {

/// Runs `job` for every number below `count`, on as many threads as the machine has, at most eight. Waits for all;
/// throws Cancelled, and what the first job that failed has thrown. Threads are as confined as the calling one.
void forEachInParallel(std::size_t count, const Progress& progress, const std::function<void(std::size_t)>& job);

}  // namespace aotscope
