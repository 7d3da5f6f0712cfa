#pragma once

#include "support/error.h"
#include "support/progress.h"

#include <chrono>
#include <future>
#include <mutex>
#include <string>
#include <thread>

namespace aotscope {

/// For callers that nobody can cancel: calls `work` with a Progress that is cancelled after `patience`. Returns what it
/// returns, and throws what it throws.
template <typename Work>
auto within(std::chrono::milliseconds patience, const Work& work) {
    Progress progress;
    auto result = std::async(std::launch::async, [&] { return work(progress); });
    if (result.wait_for(patience) != std::future_status::ready) progress.cancel();
    return result.get();
}

/// The same for what somebody asks `whom`. Throws Error, a sentence, if that takes longer.
template <typename Work>
auto answerWithin(std::chrono::seconds patience, const std::string& whom, const Work& work) {
    try {
        return within(patience, work);
    } catch (const Cancelled&) {
        throw Error(whom + " does not answer within " + std::to_string(patience.count()) +
                    " seconds; wait until it is less busy, and try again");
    }
}

/// Locks the mutex of something that may take long. Throws Cancelled.
inline std::unique_lock<std::mutex> lockUnlessCancelled(std::mutex& mutex, const Progress& progress) {
    std::unique_lock lock(mutex, std::try_to_lock);
    while (!lock.owns_lock()) {
        progress.throwIfCancelled();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        (void)lock.try_lock();
    }
    return lock;
}

}  // namespace aotscope
