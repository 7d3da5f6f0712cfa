#include "cli/engine/run_as_rank.h"

#include "cli/exit_code.h"
#include "cli/report_errors.h"
#include "distributed/rank_process.h"
#include "support/error.h"

#include <iostream>

namespace aotscope {

int runAsRank(const LaunchedRanks& ranks, const Options& options, const std::function<int(RankProcess&)>& job) {
    const Launch& launch = ranks.launch();
    // Not on stdout, which may be JSON.
    if (launch.rank == 0) std::cerr << "rank 0 of " << launch.size << ", started by " << launch.launcher << std::endl;
    RankProcess process(launch, options.world.groups, ranks.limit());
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
