#pragma once

#include "support/error.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>

namespace aotscope {

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
    void cancel() { flag_->store(true, std::memory_order_relaxed); }
    bool cancelled() const { return flag_->load(std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> flag_ = std::make_shared<std::atomic<bool>>(false);
    Listener listener_;
};

}  // namespace aotscope
