#pragma once

#include "support/error.h"

#include <concepts>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace aotscope {

/// "run 4 of 10": a stage of a job that knows how many there are. Who shows it estimates from these numbers, which are
/// the end of the text, how long the job still takes.
template <std::integral Number>
std::string stageOf(std::string_view what, Number which, Number all) {
    return std::string(what) + " " + std::to_string(which) + " of " + std::to_string(all);
}

/// Reports the stage of a long job and tells it when its result is no longer wanted. Copies share the same cancel flag.
/// Default constructed: silent, never canceled.
class Progress {
public:
    using Listener = std::function<void(std::string_view stage)>;

    Progress() = default;
    explicit Progress(Listener listener) : listener_(std::move(listener)) {}

    /// Announces the next stage; throws Cancelled if cancel() was called.
    void enter(std::string_view stage) const {
        throwIfCancelled();
        if (listener_) listener_(stage);
    }
    void throwIfCancelled() const {
        if (cancelled()) throw Cancelled();
    }
    void cancel() { stop_.request_stop(); }
    bool cancelled() const { return stop_.stop_requested(); }
    /// Wakes whoever waits with it.
    std::stop_token token() const { return stop_.get_token(); }

private:
    std::stop_source stop_;
    Listener listener_;
};

}  // namespace aotscope
