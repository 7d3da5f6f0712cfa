#include "cli/engine/rank_flags.h"

#include "cli/exit_code.h"
#include "cli/report_errors.h"
#include "session/ranks/rank_runs.h"
#include "support/error.h"

#include <CLI/CLI.hpp>

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

void RankFlags::addTo(CLI::App& app, const std::string& help) {
    app.add_option("--ranks", count_, help)->type_name("N")->check(CLI::Range(1, static_cast<int>(kMostRankThreads)));
    launched_.addTo(app);
}

void RankFlags::check(const Options& options) {
    if (count_ == 0) launched_.check(options);
    else options.use({"--ranks", "--rank-timeout"});
}

std::string RankFlags::text() const { return count_ > 0 ? "--ranks runs " + std::to_string(count_) : launched_.text(); }

int RankFlags::run(const Options& options, const std::function<int(RankProcess*)>& job) const {
    if (!launched_.areThere()) return job(nullptr);
    return runAsRank(launched_, options, [&](RankProcess& process) { return job(&process); });
}

std::shared_ptr<const Ranks> RankFlags::compile(const Options& options, RankProcess* process) const {
    return process ? compileRank(options, *process) : compileRanks(options, count_, {});
}

}  // namespace aotscope
