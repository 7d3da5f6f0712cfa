#pragma once

#include "support/error.h"
#include "support/progress.h"

#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <string>

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

/// A mutex for what may take long.
class PatientMutex {
public:
    /// Throws Cancelled.
    std::unique_lock<PatientMutex> lock(const Progress& progress) {
        std::unique_lock lock(mutex_);
        if (!freed_.wait(lock, progress.token(), [this] { return !locked_; })) throw Cancelled();
        locked_ = true;
        return {*this, std::adopt_lock};
    }
    void unlock() {
        const std::scoped_lock lock(mutex_);
        locked_ = false;
        freed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable_any freed_;
    bool locked_ = false;
};

}  // namespace aotscope
