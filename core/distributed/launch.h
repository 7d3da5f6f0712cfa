#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// What the environment of a launcher such as torchrun says: this process's rank, and where the ranks meet.
struct Launch {
    std::string launcher;  ///< "torchrun", "Open MPI"
    std::size_t rank = 0, size = 1;
    std::optional<std::size_t> localRank = {};  ///< among the ranks on this machine; nothing: unknown
    bool oneMachine = false;                    ///< all ranks are known to be on this machine
    std::string address;                        ///< of rank 0's machine; empty: unknown
    std::string addressFrom;                    ///< the variable that gives it: "MASTER_ADDR"
    std::uint16_t port = 29500;                 ///< of rank 0 at that address; 0: derived from the job
    bool servesStore = false;                   ///< the launcher serves the store there, so rank 0 must not
    std::string job;                            ///< shared only by ranks of the same run; may be empty
    bool endsWithParent = true;                 ///< the parent process is the launcher, which keeps running
    std::vector<std::string> variables = {};    ///< that give the rank and the size
};

/// Messages to the user while a rank waits for others: passed to `say` after a while, and then rarely.
struct WaitNotices {
    std::function<void(const std::string& text)> say;
    std::chrono::milliseconds first{5'000}, again{120'000};
};

/// The value of an environment variable; null if it is not set.
using Environment = std::function<const char*(const char* name)>;

/// The maximum number of ranks: each of them has a connection, a file descriptor, to every other.
inline constexpr std::size_t kMostProcesses = 512;

/// Reads the variables of torchrun, Open MPI, MPICH, Intel MPI or Slurm; nothing unless they give a rank and at least
/// two ranks. Without MASTER_ADDR, rank 0 is on the first machine of Slurm's list. Throws UsageError for invalid
/// numbers.
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
