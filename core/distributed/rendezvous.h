#pragma once

#include "distributed/launch.h"
#include "distributed/rank_mesh.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// Where the ranks of a launcher find each other: LibTorch's store, which rank 0 or the launcher serves at MASTER_ADDR,
/// or, where nobody says an address, a file of this user on this machine.
class Rendezvous {
public:
    /// Throws Error if rank 0 does not answer within `limit`, or if nothing says where it is.
    Rendezvous(const Launch& launch, std::chrono::milliseconds limit);
    ~Rendezvous();
    Rendezvous(const Rendezvous&) = delete;
    Rendezvous& operator=(const Rendezvous&) = delete;

    /// Whether all ranks are on this machine.
    bool isLocal() const;
    /// A random text, the same for all ranks. Throws Error.
    std::string token();
    /// Says where this rank listens. Returns where all of them do, in their order. Throws Error naming ranks that do
    /// not come within the limit, and ranks of another version of aotscope.
    std::vector<RankAddress> addresses(std::uint16_t ownPort);
    /// All ranks are connected: what was needed to get there can go.
    void leave();

private:
    class Store;
    std::unique_ptr<Store> store_;
};

}  // namespace aotscope
