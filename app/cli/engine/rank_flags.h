#pragma once

#include "cli/launched_ranks.h"
#include "distributed/rank_process.h"
#include "session/rank_run.h"
#include "support/json/json_text.h"
#include "support/json/message_members.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// Meets the other ranks that were launched and runs `job`. Returns its exit code, or that of an error, which one of
/// the ranks prints.
int runAsRank(const LaunchedRanks& ranks, const Options& options, const std::function<int(RankProcess&)>& job);

/// The ranks of a distributed program that a command runs: those of --ranks, as threads of one process, or those
/// started by a launcher.
class RankFlags {
public:
    /// `help`: of --ranks.
    void addTo(CLI::App& app, const std::string& help);
    void check(const Options& options);

    /// Otherwise, the command runs a single rank.
    bool given() const { return count_ > 0 || launched_.areThere(); }
    bool areLaunched() const { return launched_.areThere(); }
    std::size_t count() const { return launched_.areThere() ? launched_.count() : count_; }
    /// "--ranks runs 4", "torchrun has started 4".
    std::string text() const;

    /// Runs `job`, whose `process` is null if the ranks are threads. Returns its exit code.
    int run(const Options& options, const std::function<int(RankProcess* process)>& job) const;
    /// Within `job`.
    std::shared_ptr<const Ranks> compile(const Options& options, RankProcess* process) const;

private:
    std::size_t count_ = 0;
    LaunchedRanks launched_;
};

/// What all ranks have found: on the first one, or where they are threads. `own`: by the ranks of this process.
template <typename T>
std::vector<T> ofAllRanks(RankProcess* process, std::vector<T> own, nlohmann::json (*write)(const T&),
                          T (*read)(const nlohmann::json&)) {
    if (!process) return own;
    std::vector<T> all;
    for (const std::string& text : process->gather(jsonLine(write(own.front()))))
        all.push_back(readFromRank(all.size(), [&] { return read(messageIn(text)); }));
    return all;
}

}  // namespace aotscope
