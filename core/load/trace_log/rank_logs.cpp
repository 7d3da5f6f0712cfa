#include "load/trace_log/rank_logs.h"

#include "load/model_source.h"
#include "support/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <system_error>

namespace aotscope {

namespace {

namespace fs = std::filesystem;
using Logs = std::vector<std::shared_ptr<const TraceLog>>;

constexpr std::size_t kMostFiles = 10'000;

/// The locations of compiled code; folders may differ between machines.
std::set<std::string> placesOf(const TraceLog& log) {
    std::set<std::string> places;
    for (const TracedCompile& compile : log.compiles)
        if (compile.code.known()) places.insert(shortPlace(compile.code));
    return places;
}

/// Unknown locations may be equal.
bool shareCode(const std::set<std::string>& a, const std::set<std::string>& b) {
    return a.empty() || b.empty() || std::ranges::any_of(a, [&](const auto& place) { return b.contains(place); });
}

/// Zero for the same log.
double timeBetween(const TraceLog& a, const TraceLog& b) {
    return std::abs(static_cast<double>(a.written) - static_cast<double>(b.written));
}

/// Null if no log gives its rank.
std::shared_ptr<const TraceLog> bestOfFirstRank(const Logs& logs) {
    std::vector<std::set<std::string>> places;
    for (const auto& log : logs) places.push_back(placesOf(*log));
    const auto likeIt = [&](std::size_t own) {
        return std::ranges::count_if(places, [&](const auto& other) { return shareCode(places[own], other); });
    };
    std::shared_ptr<const TraceLog> best;
    std::pair<std::ptrdiff_t, std::int64_t> most;
    for (std::size_t i = 0; i < logs.size(); ++i) {
        const auto rank = rankOf(*logs[i]);
        if (!rank || (best && *rank > *rankOf(*best))) continue;
        const std::pair own(places[i].empty() ? 0 : likeIt(i), logs[i]->written);
        if (best && *rank == *rankOf(*best) && own <= most) continue;
        best = logs[i];
        most = own;
    }
    return best;
}

/// Excluded logs by reason.
class LeftOut {
public:
    void add(const TraceLog& log, const std::string& why) { logs_[why].push_back(log.path.filename().string()); }
    std::string text() const {
        constexpr std::size_t most = 3;
        std::string text;
        for (const auto& [why, names] : logs_) {
            text += text.empty() ? "left out: " : "; ";
            for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i == 0 ? "" : ", ") + names[i];
            if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
            text += " (" + why + ")";
        }
        return text;
    }

private:
    std::map<std::string, std::vector<std::string>> logs_;
};

}  // namespace

std::optional<int> rankInName(const fs::path& path) {
    const std::string name = path.filename().string();
    const auto at = name.find("rank_");
    int rank = 0;
    if (at == std::string::npos) return std::nullopt;
    const auto result = std::from_chars(name.data() + at + 5, name.data() + name.size(), rank);
    return result.ec == std::errc{} ? std::optional(rank) : std::nullopt;
}

std::vector<fs::path> traceLogsAt(const fs::path& place) {
    std::error_code failed;
    if (!fs::is_directory(place, failed)) return {place};
    std::vector<fs::path> found;
    for (fs::directory_iterator it(place, failed), end; !failed && it != end && found.size() < kMostFiles;
         it.increment(failed))
        if (it->is_regular_file(failed) && recogniseFile(it->path()) == ModelSource::trace) found.push_back(it->path());
    if (failed) throw Error("'" + place.string() + "' cannot be listed: " + failed.message());
    if (found.empty())
        throw Error("'" + place.string() + "' holds no log of TORCH_TRACE; expected files such as " +
                    "dedicated_log_torch_trace_rank_0.log");
    std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
        const auto first = rankInName(a), second = rankInName(b);
        return first != second ? first < second : a < b;
    });
    return found;
}

std::vector<fs::path> anyTraceLogsAt(const fs::path& place) {
    try {
        auto logs = traceLogsAt(place);
        if (recogniseFile(logs.front()) == ModelSource::trace) return logs;
    } catch (const Error&) {  // a folder of other files
    }
    return {};
}

std::optional<int> rankOf(const TraceLog& log) { return log.rank ? log.rank : rankInName(log.path); }

bool areRanks(const Logs& logs) {
    std::set<int> ranks;
    for (const auto& log : logs)
        if (const auto rank = rankOf(*log); !rank || !ranks.insert(*rank).second) return false;
    return true;
}

RankLogs ranksAmong(const Logs& logs, std::shared_ptr<const TraceLog> open) {
    if (!open) open = bestOfFirstRank(logs);
    if (!open) return {logs, {}};
    const auto own = rankOf(*open);
    if (!own) return {{open}, {}};
    const std::set<std::string> places = placesOf(*open);
    std::map<int, Logs> ranks;
    LeftOut leftOut;
    for (const auto& log : logs) {
        const auto rank = rankOf(*log);
        if (log->path == open->path) continue;
        if (!rank) leftOut.add(*log, "of no rank");
        else if (!shareCode(places, placesOf(*log))) leftOut.add(*log, "another program");
        else ranks[*rank].push_back(log);
    }
    ranks[*own].insert(ranks[*own].begin(), open);
    RankLogs chosen;
    for (auto& [rank, candidates] : ranks) {
        std::ranges::stable_sort(candidates, {}, [&](const auto& log) { return timeBetween(*log, *open); });
        chosen.logs.push_back(candidates.front());
        for (std::size_t i = 1; i < candidates.size(); ++i)
            leftOut.add(*candidates[i], "another log of rank " + std::to_string(rank));
    }
    chosen.leftOut = leftOut.text();
    return chosen;
}

std::vector<std::string> logNames(const Logs& logs) {
    const bool ranks = areRanks(logs);
    std::vector<std::string> names;
    for (const auto& log : logs)
        names.push_back(ranks ? "rank " + std::to_string(*rankOf(*log)) : log->path.filename().string());
    return names;
}

}  // namespace aotscope
