#include "aten/thread_limit.h"

#include "support/machine/cores.h"

#include <ATen/Parallel.h>

#include <cstdlib>

namespace aotscope {

namespace {

bool threadsAreGiven() { return std::getenv("OMP_NUM_THREADS") || std::getenv("MKL_NUM_THREADS"); }

void limitTo(std::size_t most) {
    if (!threadsAreGiven() && static_cast<std::size_t>(at::get_num_threads()) > most)
        at::set_num_threads(static_cast<int>(most));
}

}  // namespace

void keepThreadsToQuota() {
    // LibTorch takes milliseconds to say how many threads it has.
    if (const std::size_t cores = availableCores(); cores < allowedProcessors()) limitTo(cores);
}

ThreadLimit::ThreadLimit(std::size_t most) : before_(at::get_num_threads()) { limitTo(most); }

ThreadLimit::~ThreadLimit() {
    if (at::get_num_threads() != before_) at::set_num_threads(before_);
}

}  // namespace aotscope
