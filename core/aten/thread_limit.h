#pragma once

#include <cstddef>

namespace aotscope {

/// LibTorch starts as many threads as the process has processors, whatever CPU time it is granted: from now on, no more
/// than that allows, unless the user has given a number (OMP_NUM_THREADS, MKL_NUM_THREADS).
void keepThreadsToQuota();

/// During its lifetime, operations called by this thread and by those that it starts use at most `most` threads each,
/// unless the user has given their number.
class ThreadLimit {
public:
    explicit ThreadLimit(std::size_t most);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

    /// Without the limit.
    int usualThreads() const { return before_; }

private:
    int before_;
};

}  // namespace aotscope
