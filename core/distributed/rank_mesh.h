#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

struct RankAddress {
    std::string host;
    std::uint16_t port = 0;
};

/// Part of a message to send; `owner` keeps its memory alive.
struct MeshPiece {
    std::shared_ptr<const void> owner;
    const void* data = nullptr;
    std::size_t size = 0;
};

/// The body of a received message.
struct MeshBody {
    std::shared_ptr<char> data;  ///< aligned to kMeshAlignment
    std::size_t size = 0;
};
inline constexpr std::size_t kMeshAlignment = 64;

/// Connections by TCP between this process and all other ranks. Messages from one rank arrive in the order in which it
/// sent them.
class RankMesh {
public:
    static constexpr std::chrono::milliseconds kTick{500};

    /// All callbacks run on the same thread, one at a time.
    struct Events {
        std::function<void(std::size_t rank)> connected;
        std::function<void(std::size_t from, const std::string& head, const MeshBody& body)> received;
        std::function<void(std::size_t rank, const std::string& why)> unreachable;  ///< it was to be connected
        std::function<void(std::size_t rank, const std::string& why)> lost;         ///< it will not send anything more
        std::function<void()> tick;                                                 ///< every kTick
    };

    virtual ~RankMesh() = default;

    virtual std::uint16_t port() const = 0;
    /// Accepts connections of higher ranks from now on.
    virtual void start(Events events) = 0;
    /// No event occurs afterwards.
    virtual void stop() = 0;
    /// Connects to a lower rank. Callable from any thread; returns at once.
    virtual void reach(std::size_t rank, const RankAddress& address) = 0;
    /// Callable from any thread; returns at once.
    virtual void send(std::size_t to, std::string head, std::vector<MeshPiece> body = {}) = 0;
    virtual bool hasUnsent() const = 0;
    /// Waits until everything is sent, at most for `limit`.
    void flush(std::chrono::milliseconds limit);
};

/// Listens on a free port, for this machine alone or for others, too. `token`: a secret of all ranks.
std::unique_ptr<RankMesh> openMesh(std::size_t rank, std::size_t count, std::string token, bool thisMachine);

/// The address of this machine as the one called `host` sees it. Throws Error if that name is unknown.
std::string addressTowards(const std::string& host, std::uint16_t port);
/// Whether `address` reaches this machine only.
bool isLoopback(const std::string& address);

}  // namespace aotscope
