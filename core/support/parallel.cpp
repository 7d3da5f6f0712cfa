#include "support/parallel.h"

#include "support/budget.h"
#include "support/machine/cores.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace aotscope {

namespace {

constexpr std::size_t kMostThreads = 8;

/// Shared by the threads.
struct Shared {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::exception_ptr failure;
};

void work(Shared& shared, std::size_t count, const Progress& progress, const std::function<void(std::size_t)>& job) {
    try {
        for (std::size_t i = shared.next++; i < count; i = shared.next++) {
            progress.throwIfCancelled();
            job(i);
        }
    } catch (...) {
        shared.next = count;
        const std::scoped_lock lock(shared.mutex);
        if (!shared.failure) shared.failure = std::current_exception();
    }
}

}  // namespace

void forEachInParallel(std::size_t count, const Progress& progress, const std::function<void(std::size_t)>& job) {
    const std::size_t most = std::min({count, availableCores(), kMostThreads});
    Shared shared;
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < most; ++i)
            threads.emplace_back([&, caller = Watched::current()] {
                const Watched helper(caller);
                work(shared, count, progress, job);
            });
        work(shared, count, progress, job);
    }
    if (shared.failure) std::rethrow_exception(shared.failure);
}

}  // namespace aotscope
