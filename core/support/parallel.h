#pragma once

#include "support/progress.h"

#include <cstddef>
#include <functional>

namespace aotscope {

/// Runs `job` for every number below `count`, on as many threads as this process has cores, at most eight. Waits for
/// all; throws Cancelled, or the exception of the first job that failed. Threads are confined like the calling one.
void forEachInParallel(std::size_t count, const Progress& progress, const std::function<void(std::size_t)>& job);

}  // namespace aotscope
