#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// What a launcher of processes, such as torchrun, has told this one: which rank it is, and where the ranks meet.
struct Launch {
    std::string launcher;  ///< "torchrun", "Open MPI"
    std::size_t rank = 0, size = 1;
    std::optional<std::size_t> localRank = {};  ///< among the ranks on this machine; nothing: not said
    bool oneMachine = false;                    ///< all ranks are known to be on this machine
    std::string address;                        ///< of the machine of rank 0; empty: not said
    std::string addressFrom;                    ///< "MASTER_ADDR": who says so
    std::uint16_t port = 29500;                 ///< at which rank 0 can be met there; 0: one that belongs to the job
    bool servesStore = false;                   ///< the launcher serves the store there, and rank 0 must not
    std::string job;                            ///< what only ranks of the same run have; may be empty
    bool endsWithParent = true;                 ///< the process that started this one is the launcher, which stays
    std::vector<std::string> variables = {};    ///< that say so: those of the rank and of the size
};

/// What a rank says while it waits for others: to `say`, after a time, and then rarely.
struct WaitNotices {
    std::function<void(const std::string& text)> say;
    std::chrono::milliseconds first{5'000}, again{120'000};
};

/// The value of an environment variable; null if it is not set.
using Environment = std::function<const char*(const char* name)>;

/// The most ranks that can meet: each of them has a connection, a file descriptor, to every other.
inline constexpr std::size_t kMostProcesses = 512;

/// What the variables of torchrun, Open MPI, MPICH, Intel MPI or Slurm say; nothing unless they name a rank of at least
/// two. Without MASTER_ADDR, rank 0 is on the first machine of Slurm's list. Throws UsageError for numbers that make no
/// sense.
std::optional<Launch> launchIn(const Environment& environment);

/// "rank 1", "ranks 1, 2, 3 and 7 more".
std::string rankNames(const std::vector<std::size_t>& ranks);
/// "waiting for rank 1 of 2, which ...; to run without other ranks, ...".
std::string waitingText(const Launch& launch, const std::vector<std::size_t>& missing);
/// "rank 1 of 2 did not start within 10 s, ..."
std::string missingText(const Launch& launch, const std::vector<std::size_t>& missing, std::chrono::milliseconds limit);
/// "600 s".
std::string wholeSeconds(std::chrono::milliseconds time);

}  // namespace aotscope
