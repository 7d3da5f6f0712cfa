#include "cli/launched_ranks.h"

#include "cli/exit_code.h"
#include "cli/report_errors.h"
#include "distributed/rank_process.h"
#include "support/error.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <iostream>

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

int LaunchedRanks::run(const Options& options, const std::function<int(RankProcess&)>& job) const {
    // Not on stdout, which may be JSON.
    if (launch_->rank == 0)
        std::cerr << "rank 0 of " << launch_->size << ", started by " << launch_->launcher << std::endl;
    RankProcess process(*launch_, options.world.groups, std::chrono::seconds(limit_));
    const auto report = [&](const std::string& error, int code) {
        process.report(error, [](const std::string& problem) { sayError(problem); });
        return code;
    };
    try {
        process.meet({.say = [](const std::string& text) { std::cerr << text << std::endl; }});
        if (process.isFirst()) std::cerr << "all " << process.count() << " ranks are there" << std::endl;
        const int code = job(process);
        std::cout.flush();
        process.finish();
        return code;
    } catch (const UsageError& e) {
        return report(e.what(), kWrongUsage);
    } catch (const std::exception& e) {
        return report(firstSentence(e.what()), kFailed);
    }
}

}  // namespace aotscope
