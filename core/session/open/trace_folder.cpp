#include "session/open/trace_folder.h"

#include "load/trace_log/rank_logs.h"
#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

/// "1:" for a log of rank 1, "dedicated_log_torch_trace_x.log:" for one without a rank.
std::string prefixOf(const fs::path& log) {
    const auto rank = rankInName(log);
    return (rank ? std::to_string(*rank) : oneLine(log.filename().string())) + ":";
}

}  // namespace

ChosenLog chooseLog(const Options& options) {
    const std::vector<fs::path> logs = anyTraceLogsAt(options.model);
    ChosenLog chosen{options.model, {}, options.compileId, {}};
    if (logs.empty()) return chosen;
    std::vector<std::string> prefixes{std::string()};
    for (std::size_t i = 1; i < logs.size(); ++i) prefixes.push_back(prefixOf(logs[i]));
    std::size_t place = 0;
    if (const auto colon = options.compileId.rfind(':'); colon != std::string::npos) {
        const std::string wanted = options.compileId.substr(0, colon + 1);
        const auto known = wanted == prefixOf(logs[0]) ? prefixes.begin() : std::ranges::find(prefixes, wanted);
        if (known == prefixes.end())
            throw UsageError("--compile-id " + options.compileId + ": '" + options.model + "' has " +
                             std::to_string(logs.size()) + " logs, none of them " + inQuotes(wanted.substr(0, colon)) +
                             "; expected a rank, as in " + prefixOf(logs.back()) + "0/0");
        place = static_cast<std::size_t>(known - prefixes.begin());
        chosen.compileId.erase(0, colon + 1);
    }
    chosen.file = logs[place];
    chosen.rank = prefixes[place];
    prefixes.erase(prefixes.begin() + static_cast<std::ptrdiff_t>(place));
    chosen.others = std::move(prefixes);
    return chosen;
}

}  // namespace aotscope
