#pragma once

#include "distributed/launch.h"
#include "distributed/rank_mesh.h"

#include <chrono>
#include <memory>
#include <string>

namespace aotscope {

/// Where rank 0 listens, and a random text that all ranks have, and nobody else.
struct FirstRank {
    RankAddress address;
    std::string token;
};

/// Where the ranks of a launcher find rank 0: LibTorch's store, which rank 0 or the launcher serves at MASTER_ADDR, or,
/// where nobody says an address, a file of this user on this machine.
class Rendezvous {
public:
    /// Throws UsageError if nothing says where it is, and Error if the address is not known.
    Rendezvous(const Launch& launch, std::chrono::milliseconds limit);
    ~Rendezvous();
    Rendezvous(const Rendezvous&) = delete;
    Rendezvous& operator=(const Rendezvous&) = delete;

    /// Whether all ranks are on this machine.
    bool isLocal() const;
    /// How the other machines reach this one.
    std::string hostForOthers() const;
    /// Rank 0 listens there. What says so stays until this object is destroyed: until all ranks have come.
    void announce(const FirstRank& first);
    /// For the other ranks. Throws Error if rank 0 does not answer within the limit, or is another version of aotscope.
    FirstRank first(const WaitNotices& notices);

private:
    class Store;
    std::unique_ptr<Store> store_;
};

}  // namespace aotscope
