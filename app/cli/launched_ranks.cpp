#include "cli/launched_ranks.h"

#include <CLI/CLI.hpp>

#include <cstdlib>

namespace aotscope {

void LaunchedRanks::addTo(CLI::App& app) {
    app.add_option("--rank-timeout", limit_, "under torchrun, mpirun or srun: how long a rank waits for the others")
        ->type_name("SECONDS")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
}

void LaunchedRanks::check(const Options& options) {
    if (options.world.size != 0 || options.world.rank != 0) return options.use("--rank-timeout");
    launch_ = launchIn([](const char* name) { return std::getenv(name); });
    if (launch_) options.use("--rank-timeout");
    else if (options.given)
        options.given->explain("--rank-timeout",
                               "only for ranks that torchrun, mpirun or srun has started; leave it out");
}

}  // namespace aotscope
