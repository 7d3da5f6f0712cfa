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
    virtual ~Rendezvous() = default;

    /// Whether all ranks are on this machine.
    virtual bool isLocal() const = 0;
    /// How other machines reach this one.
    virtual std::string hostForOthers() const = 0;
    /// Publishes where rank 0 listens, until this object is destroyed: until all ranks have connected.
    virtual void announce(const FirstRank& first) = 0;
    /// For the other ranks. Throws Error if rank 0 does not answer within the limit, or is another aotscope version.
    virtual FirstRank first(const WaitNotices& notices) const = 0;
};

/// Throws UsageError without an address, and Error if the address is unknown.
std::unique_ptr<Rendezvous> openRendezvous(const Launch& launch, std::chrono::milliseconds limit);

}  // namespace aotscope
