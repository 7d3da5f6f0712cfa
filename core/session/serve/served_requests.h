#pragma once

#include "session/engine.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <variant>

namespace aotscope {

class Debugger;
class Ranks;

using ServedObject =
    std::variant<std::shared_ptr<const Session>, std::shared_ptr<Debugger>, std::shared_ptr<const Ranks>>;

/// What one client has opened, by the id of the request that opened it.
class ServedObjects {
public:
    void keep(std::uint64_t id, ServedObject object);
    void drop(std::uint64_t id);
    void dropAll();

    /// Null if it does not exist (any more).
    template <typename T>
    std::shared_ptr<T> find(std::uint64_t id) const {
        const std::scoped_lock lock(mutex_);
        const auto found = objects_.find(id);
        const auto* object = found == objects_.end() ? nullptr : std::get_if<std::shared_ptr<T>>(&found->second);
        return object ? *object : nullptr;
    }
    /// Throw Error if they do not exist.
    std::shared_ptr<const Session> session(std::uint64_t id) const;
    std::shared_ptr<Debugger> debugger(std::uint64_t id) const;
    std::shared_ptr<const Ranks> ranks(std::uint64_t id) const;

private:
    mutable std::mutex mutex_;
    std::map<std::uint64_t, ServedObject> objects_;
};

/// A request being executed.
struct ServedRequest {
    std::uint64_t id = 0;
    const nlohmann::json& with;
    const Engine& engine;
    ServedObjects& objects;
    const Progress& progress;
    std::function<void(nlohmann::json event)> tell;  ///< notifies the client
    std::function<void()> waitForClient;             ///< until it lets the job continue; throws Cancelled
};

/// Whether a request neither runs nor changes the object that it is about, and need not wait for what does.
bool runsAside(std::string_view what);

/// Executes a request, and returns the result to send. Throws what a session throws, and Error for an unknown request.
nlohmann::json carryOut(const std::string& what, const ServedRequest& request);

}  // namespace aotscope
