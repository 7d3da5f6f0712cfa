#include "distributed/launch.h"

#include "support/error.h"
#include "support/joined.h"
#include "support/token_reader.h"

#include <algorithm>
#include <string_view>

#include <unistd.h>

namespace aotscope {

namespace {

/// The variables of a launcher. Optional ones are null.
struct Variables {
    const char *launcher, *rank, *size, *localRank;
    const char *localSize, *machines;  ///< the number of ranks per machine, and of machines
    const char* job[2];                ///< which together identify this run on all its machines
    const char* required = nullptr;    ///< must also be set: a Slurm batch script has the others
};

constexpr const char* kTorchRun = "TORCHELASTIC_RUN_ID";
constexpr const char *kSlurm = "Slurm", *kMpi = "MPI";

constexpr Variables kLaunchers[] = {
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", nullptr, nullptr, {kTorchRun, "TORCHELASTIC_RESTART_COUNT"}},
    {"Open MPI",
     "OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE",
     nullptr,
     {"PMIX_NAMESPACE", "OMPI_MCA_orte_hnp_uri"}},
    // Before Slurm, which may have started MPI's process managers.
    {kMpi,
     "PMI_RANK",
     "PMI_SIZE",
     "MPI_LOCALRANKID",
     "MPI_LOCALNRANKS",
     nullptr,
     {nullptr, nullptr},
     "MPI_LOCALNRANKS"},
    {kSlurm,
     "SLURM_PROCID",
     "SLURM_NTASKS",
     "SLURM_LOCALID",
     nullptr,
     "SLURM_NNODES",
     {"SLURM_JOB_ID", "SLURM_STEP_ID"},
     "SLURM_STEP_ID"},
    {kMpi, "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", nullptr, {nullptr, nullptr}},
};

std::size_t numberIn(const Environment& environment, const char* name) {
    const std::string text = environment(name);
    if (const auto number = asNumber<std::size_t>(text)) return *number;
    throw UsageError(std::string(name) + "=" + text +
                     ": expected a number, as launchers set it; unset it to run without other ranks");
}

bool saysOne(const Environment& environment, const char* name, std::size_t one) {
    return name && environment(name) && numberIn(environment, name) == one;
}

std::string textOf(const Environment& environment, const char* name) {
    const char* text = name ? environment(name) : nullptr;
    return text ? text : "";
}

void requireRank(const Launch& launch, const Variables& names) {
    if (launch.size > kMostProcesses)
        throw UsageError(std::string(names.size) + "=" + std::to_string(launch.size) + ": at most " +
                         std::to_string(kMostProcesses) +
                         " ranks can run together; use --world-size to plan larger worlds");
    if (launch.rank >= launch.size)
        throw UsageError(std::string(names.rank) + "=" + std::to_string(launch.rank) + ": " + names.size + " says " +
                         std::to_string(launch.size) + " ranks, numbered from 0");
}

/// "node[07-09,12],gpu3": "node07".
std::string firstMachine(std::string_view list) {
    std::string first;
    bool inBrackets = false, behindFirst = false;
    for (const char c : list) {
        if (c == '[') {
            inBrackets = true;
        } else if (c == ']') {
            inBrackets = behindFirst = false;
        } else if (inBrackets && (c == '-' || c == ',')) {
            behindFirst = true;
        } else if (c == ',') {
            break;
        } else if (!behindFirst) {
            first += c;
        }
    }
    return first;
}

/// MASTER_ADDR and MASTER_PORT, which any launcher may pass on, or the first machine in Slurm's list.
void readMeetingPoint(Launch& launch, const Environment& environment) {
    launch.servesStore = textOf(environment, "TORCHELASTIC_USE_AGENT_STORE") == "True";
    launch.addressFrom = "MASTER_ADDR";
    launch.address = textOf(environment, "MASTER_ADDR");
    if (launch.address.empty()) {
        if (launch.oneMachine) return;
        launch.port = 0;
        if (launch.launcher == kSlurm) {
            launch.addressFrom = "SLURM_STEP_NODELIST";
            launch.address = firstMachine(textOf(environment, "SLURM_STEP_NODELIST"));
        }
    }
    if (!environment("MASTER_PORT")) return;
    const std::size_t port = numberIn(environment, "MASTER_PORT");
    if (port < 1 || port > 65535)
        throw UsageError("MASTER_PORT=" + std::to_string(port) + ": expected a port, from 1 to 65535");
    launch.port = static_cast<std::uint16_t>(port);
}

}  // namespace

std::optional<Launch> launchIn(const Environment& environment) {
    for (const Variables& names : kLaunchers) {
        if (!environment(names.rank) || !environment(names.size)) continue;
        if (names.required && !environment(names.required)) continue;
        Launch launch{.launcher = names.launcher,
                      .rank = numberIn(environment, names.rank),
                      .size = numberIn(environment, names.size),
                      .variables = {names.rank, names.size}};
        if (launch.size <= 1) continue;
        requireRank(launch, names);
        if (environment(names.localRank)) launch.localRank = numberIn(environment, names.localRank);
        launch.oneMachine =
            saysOne(environment, names.localSize, launch.size) || saysOne(environment, names.machines, 1);
        // The variables of torchrun may be set by hand, in a shell that exits.
        launch.endsWithParent = names.job[0] != kTorchRun || environment(kTorchRun);
        for (const char* name : names.job) launch.job += textOf(environment, name) + " ";
        // MPICH does not identify its runs; all ranks on a machine are children of the same process.
        const bool unnamed = launch.job.find_first_not_of(' ') == std::string::npos;
        if (unnamed && launch.oneMachine) launch.job = std::to_string(::getppid());
        readMeetingPoint(launch, environment);
        return launch;
    }
    return {};
}

std::string rankNames(const std::vector<std::size_t>& ranks) {
    constexpr std::size_t most = 8;
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < std::min(ranks.size(), most); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
    return text + (ranks.size() > most ? " and " + std::to_string(ranks.size() - most) + " more" : "");
}

std::string waitingText(const Launch& launch, const std::vector<std::size_t>& missing) {
    std::string text = "waiting for " + rankNames(missing) + " of " + std::to_string(launch.size);
    if (launch.variables.empty()) return text;
    return text + ": " + joined(launch.variables, " and ") + " say that " + launch.launcher + " has started " +
           (missing.size() == 1 ? "it" : "them") + "; to run without other ranks, give --world-size, or unset " +
           joined(launch.variables, " and ");
}

std::string missingText(const Launch& launch, const std::vector<std::size_t>& missing,
                        std::chrono::milliseconds limit) {
    return rankNames(missing) + " of " + std::to_string(launch.size) + " did not start within " + wholeSeconds(limit) +
           ", as " + launch.launcher + "'s variables have it; start all ranks, or give more time with --rank-timeout";
}

std::string wholeSeconds(std::chrono::milliseconds time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

}  // namespace aotscope
