#include "cli/engine/rank_flags.h"

#include "cli/engine/run_as_rank.h"
#include "session/ranks/rank_runs.h"

#include <CLI/CLI.hpp>

namespace aotscope {

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
