#pragma once

#include "support/error.h"

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace aotscope {

/// A connection to an engine, as it is at some moment.
struct EngineLink {
    std::uint64_t connection = 0;  ///< its number in this process; 0: none
    std::string why = {};          ///< it has ended: one sentence, or empty

    bool operator==(const EngineLink&) const = default;
};

/// The connection has ended. All jobs that need it are told so, and who watches it.
class ConnectionLost : public Error {
public:
    explicit ConnectionLost(EngineLink lost) : Error(lost.why), link(std::move(lost)) {}

    EngineLink link;
};

/// Tells others what becomes of connections. Thread-safe.
class LinkWatchers : public std::enable_shared_from_this<LinkWatchers> {
public:
    using Listener = std::function<void(const EngineLink&)>;

    /// `listener` is called, on any thread, until the result is gone.
    std::shared_ptr<void> add(Listener listener) {
        const std::scoped_lock lock(mutex_);
        const auto place = listeners_.insert(listeners_.end(), std::move(listener));
        return {&*place, [self = shared_from_this(), place](void*) {
                    const std::scoped_lock mine(self->mutex_);
                    self->listeners_.erase(place);
                }};
    }
    void tell(const EngineLink& link) const {
        const std::scoped_lock lock(mutex_);
        for (const Listener& listener : listeners_) listener(link);
    }

private:
    mutable std::mutex mutex_;
    std::list<Listener> listeners_;
};

}  // namespace aotscope
