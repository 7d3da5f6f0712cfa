#pragma once

#include "distributed/launch.h"
#include "distributed/rank_mesh.h"

#include <chrono>
#include <memory>
#include <string>

namespace aotscope {

/// Where rank 0 listens, and a random secret of all ranks.
struct FirstRank {
    RankAddress address;
    std::string token;
};

/// How the ranks of a launcher find rank 0: through LibTorch's store, which rank 0 or the launcher serves at
/// MASTER_ADDR, or, without an address, through a file of this user on this machine.
class Rendezvous {
public:
    /// Throws UsageError without an address, and Error if the address is unknown.
    Rendezvous(const Launch& launch, std::chrono::milliseconds limit);
    ~Rendezvous();
    Rendezvous(const Rendezvous&) = delete;
    Rendezvous& operator=(const Rendezvous&) = delete;

    /// Whether all ranks are on this machine.
    bool isLocal() const;
    /// How other machines reach this one.
    std::string hostForOthers() const;
    /// Publishes where rank 0 listens, until this object is destroyed: until all ranks have connected.
    void announce(const FirstRank& first);
    /// For the other ranks. Throws Error if rank 0 does not answer within the limit, or is another aotscope version.
    FirstRank first(const WaitNotices& notices);

private:
    class Store;
    std::unique_ptr<Store> store_;
};

}  // namespace aotscope
