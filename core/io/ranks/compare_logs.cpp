#include "io/ranks/compare_logs.h"

#include "io/ranks/rank_comparison.h"
#include "load/printed/log/section_kinds.h"
#include "load/trace_log/envelope.h"
#include "load/trace_log/rank_logs.h"
#include "load/trace_log/trace_graphs.h"
#include "load/trace_log/trace_reader.h"
#include "load/trace_log/trace_story.h"
#include "passes/printed_record.h"
#include "support/error.h"
#include "support/joined.h"

#include <algorithm>
#include <unordered_set>

namespace aotscope {

namespace {

using Kind = RankDifference::Kind;

class LogsOfRanks {
public:
    LogsOfRanks(const std::vector<std::shared_ptr<const TraceLog>>& logs, const Progress& progress)
        : logs_(logs), progress_(progress), names_(logNames(logs)) {
        for (const auto& log : logs) graphs_.push_back(graphsIn(log));
    }

    std::vector<RankDifference> compare() {
        std::unordered_set<std::string_view> known;
        for (const auto& log : logs_)
            for (const TracedCompile& compile : log->compiles)
                if (known.insert(compile.id).second) compare(compile.id);
        return std::move(found_);
    }

private:
    void compare(const std::string& id) {
        progress_.throwIfCancelled();
        std::vector<const TracedCompile*> compiles;
        for (const auto& log : logs_) compiles.push_back(log->find(id));
        if (std::ranges::find(compiles, nullptr) != compiles.end()) return missing(id, compiles);
        if (haveSameRecords(compiles)) return;
        std::vector<ComparedRank> ranks;
        for (std::size_t i = 0; i < logs_.size(); ++i) ranks.push_back({names_[i], {}, recordOf(id, i)});
        const std::size_t before = found_.size();
        std::ranges::move(differencesOf(ranks, RankGraphs::logged, id), std::back_inserter(found_));
        unreadable(id, ranks);
        const auto isCollective = [](const RankDifference& each) { return each.kind == Kind::collectives; };
        if (std::none_of(found_.begin() + static_cast<std::ptrdiff_t>(before), found_.end(), isCollective))
            schedules(id, compiles);
    }

    void missing(const std::string& id, const std::vector<const TracedCompile*>& compiles) {
        RankDifference difference{Kind::missing, id, {}, {}, {}};
        for (const TracedCompile* compile : compiles)
            difference.each.push_back({compile ? shortPlace(compile->code) : std::string()});
        found_.push_back(std::move(difference));
    }

    /// Compares graphs and collectives by their hashes; a record without one never matches.
    bool haveSameRecords(const std::vector<const TracedCompile*>& compiles) const {
        const auto recordsOf = [&](std::size_t i) {
            const TraceReader reader(*logs_[i]);
            std::vector<std::string> records;
            for (const LogRecord& record : compiles[i]->records) {
                const std::string& name = logs_[i]->nameOf(record);
                if (kindOfRecord(name) == PrintedKind::unknown && topicOf(name) != LogTopic::collectives) continue;
                const std::string head = reader.head(record);
                const auto envelope = readEnvelope(head);
                const bool hashed = envelope && !envelope->hash.empty();
                records.push_back(name + (hashed ? " " + std::string(envelope->hash) : " of log " + std::to_string(i)));
            }
            return records;
        };
        const auto first = recordsOf(0);
        for (std::size_t i = 1; i < compiles.size(); ++i)
            if (compiles[i]->symbols != compiles[0]->symbols || recordsOf(i) != first) return false;
        return true;
    }

    /// What differs is printed: nothing needs to be derived.
    std::shared_ptr<const CompileRecord> recordOf(const std::string& id, std::size_t i) const {
        if (std::ranges::find(graphs_[i].compiles, id, &PrintedCompile::id) == graphs_[i].compiles.end())
            return std::make_shared<const CompileRecord>();
        Options options;
        options.compileId = id;
        try {
            return makePrintedRecord(options, graphs_[i], rulesWithoutTorch(), progress_);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& e) {  // its graphs are unreadable
            auto record = std::make_shared<CompileRecord>();
            record->fellBack = {e.what()};
            return record;
        }
    }

    /// Unreadable ones cannot be compared.
    void unreadable(const std::string& id, const std::vector<ComparedRank>& ranks) {
        RankDifference difference{Kind::graph, id, {}, {}, {}, "a graph that cannot be read"};
        for (const ComparedRank& rank : ranks) difference.each.push_back({joined(rank.record->fellBack, "; ")});
        if (std::ranges::any_of(difference.each, [](const auto& place) { return !place.text.empty(); }))
            found_.push_back(std::move(difference));
    }

    /// Inductor moves and merges collectives after the graphs that it logs.
    void schedules(const std::string& id, const std::vector<const TracedCompile*>& compiles) {
        std::vector<std::vector<std::string>> lists;
        std::size_t longest = 0;
        for (std::size_t i = 0; i < logs_.size(); ++i) {
            lists.push_back(readStory(*logs_[i], *compiles[i], {}, {LogTopic::collectives}).collectives);
            std::erase_if(lists.back(), [](const auto& op) { return op.find("wait_tensor") != std::string::npos; });
            longest = std::max(longest, lists.back().size());
        }
        for (std::size_t at = 0; at < longest; ++at) {
            const std::string number = std::to_string(at + 1);
            RankDifference difference{Kind::collectives, id, {}, number, {}};
            difference.among = "collective " + number + " of Inductor's schedule";
            for (const auto& list : lists) difference.each.push_back({at < list.size() ? list[at] : std::string()});
            if (std::ranges::all_of(lists, [&](const auto& list) {
                    return at < list.size() && list[at] == difference.each.front().text;
                }))
                continue;
            return found_.push_back(std::move(difference));
        }
    }

    const std::vector<std::shared_ptr<const TraceLog>>& logs_;
    const Progress& progress_;
    std::vector<std::string> names_;
    std::vector<LogIndex> graphs_;
    std::vector<RankDifference> found_;
};

}  // namespace

std::vector<RankDifference> compareRankLogs(const std::vector<std::shared_ptr<const TraceLog>>& logs,
                                            const Progress& progress) {
    if (logs.size() < 2) return {};
    return LogsOfRanks(logs, progress).compare();
}

}  // namespace aotscope
