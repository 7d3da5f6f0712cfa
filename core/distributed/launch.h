#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace aotscope {

/// What a launcher of processes, such as torchrun, has told this one: which rank it is, and where the ranks meet.
struct Launch {
    std::string launcher;  ///< "torchrun", "Open MPI"
    std::size_t rank = 0, size = 1;
    bool oneMachine = false;     ///< all ranks are known to be on this machine
    std::string address;         ///< of the machine of rank 0; empty: not said
    std::uint16_t port = 29500;  ///< at which rank 0 can be met there
    bool servesStore = false;    ///< the launcher serves the store there, and rank 0 must not
    std::string job;             ///< what only ranks of the same run have; may be empty
    bool endsWithParent = true;  ///< the process that started this one is the launcher, which stays
};

/// The value of an environment variable; null if it is not set.
using Environment = std::function<const char*(const char* name)>;

/// The most ranks that can meet: each of them has a connection, a file descriptor, to every other.
inline constexpr std::size_t kMostProcesses = 512;

/// What the variables of torchrun, Open MPI, MPICH, Intel MPI or Slurm say; nothing unless they name a rank of at least
/// two. Throws UsageError for numbers that make no sense.
std::optional<Launch> launchIn(const Environment& environment);

}  // namespace aotscope
