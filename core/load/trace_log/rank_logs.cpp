#include "load/trace_log/rank_logs.h"

#include "load/printed/syntax/log_line.h"
#include "load/trace_log/envelope.h"
#include "load/trace_log/text_lines.h"
#include "load/trace_log/trace_indexer.h"
#include "load/trace_log/trace_reader.h"
#include "load/trace_log/trace_story.h"
#include "support/error.h"
#include "support/input_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <deque>
#include <map>
#include <set>
#include <system_error>
#include <unordered_set>

namespace aotscope {

namespace {

namespace fs = std::filesystem;
using Logs = std::vector<std::shared_ptr<const TraceLog>>;

constexpr std::size_t kMostFiles = 10'000, kMostShownNames = 12, kLongestLine = 300;
/// In the order in which they are made.
constexpr std::array<std::string_view, 6> kCompared = {"dynamo_output_graph", "aot_joint_graph",
                                                       "aot_forward_graph",   "aot_backward_graph",
                                                       "aot_inference_graph", "inductor_post_grad_graph"};

/// The lines of a graph that compute something, one after the other.
class GraphLines {
public:
    explicit GraphLines(std::string_view text) : rest_(text) {}

    /// False at the end.
    bool next(std::string_view& line) {
        while (!rest_.empty()) {
            line = trimmed(takeLine(rest_));
            if (!line.empty() && !line.starts_with('#')) return true;
        }
        line = {};
        return false;
    }

private:
    std::string_view rest_;
};

/// "mul" of 'mul: "f32[2]" = torch.ops.aten.mul.Tensor(...)'.
std::string nodeOf(std::string_view line) {
    if (line.starts_with("return ")) return "output";
    if (line.starts_with("def ")) return "the inputs";
    const auto end = line.find_first_of(":= ");
    return std::string(line.substr(0, end));
}

std::string shortLine(std::string_view line) {
    // What is freed behind an operation says nothing about it.
    line = trimmed(line.substr(0, line.find(";  ")));
    return std::string(line.substr(0, kLongestLine));
}

/// Every rank may have a device of its own: without the numbers of "cuda:1" and "device(type='cuda', index=1)".
std::string onAnyDevice(std::string_view line) {
    std::string text(line);
    for (const std::string_view before : {"cuda:", "xpu:", "hpu:", "index="})
        for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at)) {
            at += before.size();
            const auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), isDigit);
            text.erase(text.begin() + static_cast<std::ptrdiff_t>(at), end);
        }
    return text;
}

/// A line without types, and perhaps with 0 for every number that stands alone: what is left is what is computed.
std::string bareLine(std::string_view line, bool keepNumbers) {
    std::string bare;
    bool quoted = false, inWord = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (!isDigit(c)) inWord = c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0;
        if (!isDigit(c) || keepNumbers || inWord) bare += c;
        else if (bare.empty() || bare.back() != '0') bare += '0';
    }
    return bare;
}

/// How lines differ that stand in the same place on every rank.
RankDifference::Kind kindOf(const std::vector<std::string>& lines) {
    const auto equal = [&](bool keepNumbers) {
        const std::string first = bareLine(lines.front(), keepNumbers);
        return std::all_of(lines.begin() + 1, lines.end(),
                           [&](const auto& line) { return bareLine(line, keepNumbers) == first; });
    };
    if (equal(true)) return RankDifference::Kind::sizes;
    const auto types = [](std::string_view line) {
        const auto start = std::min(line.find('"'), line.size());
        return std::string(line.substr(start, line.find('"', start + 1) - start));
    };
    const auto sameTypes = [&] {
        return std::all_of(lines.begin() + 1, lines.end(),
                           [&](const auto& line) { return types(line) == types(lines.front()); });
    };
    if (!equal(false)) return RankDifference::Kind::graph;
    return sameTypes() ? RankDifference::Kind::values : RankDifference::Kind::sizes;
}

/// Names of the inputs of a printed backward graph that are no tangents: 'name: "f32[2][1]cpu"', in one line or
/// several.
std::vector<std::string> savedIn(const std::string& backward) {
    std::vector<std::string> names;
    const auto start = backward.find("def forward(");
    if (start == std::string::npos) return names;
    auto signature = std::string_view(backward).substr(start);
    signature = signature.substr(0, signature.find("):"));
    for (;;) {
        const auto colon = signature.find(": \"");
        if (colon == std::string_view::npos) return names;
        const auto name = signature.substr(0, colon);
        const auto before = name.find_last_of(" ,(\n");
        const auto own = before == std::string_view::npos ? name : name.substr(before + 1);
        if (!own.starts_with("tangents_")) names.emplace_back(own);
        const auto close = std::min(signature.find('"', colon + 3), signature.size() - 1);
        signature.remove_prefix(close + 1);
    }
}

/// Collective operations of a printed graph, in order.
void addCollectives(const std::string& graph, std::vector<std::string>& list) {
    GraphLines lines(graph);
    for (std::string_view line; lines.next(line);) {
        const auto at = line.find("torch.ops._c10d_functional.");
        if (at == std::string_view::npos) continue;
        const auto call = line.substr(at + 10);
        if (!call.starts_with("_c10d_functional.wait_tensor")) list.emplace_back(call.substr(0, call.find('(')));
    }
}

/// One compilation in all logs.
class Comparison {
public:
    Comparison(const Logs& logs, const std::string& id, std::vector<RankDifference>& found)
        : logs_(logs), id_(id), found_(found) {
        for (const auto& log : logs_) {
            compiles_.push_back(log->find(id));
            readers_.emplace_back(*log);
        }
    }

    void run() {
        if (std::find(compiles_.begin(), compiles_.end(), nullptr) != compiles_.end()) return missing();
        for (const std::string_view graph : kCompared)
            if (differs(graph)) break;
        saved();
        collectives();
    }

private:
    void missing() {
        RankDifference difference{RankDifference::Kind::missing, id_, {}, {}, {}};
        for (const TracedCompile* compile : compiles_)
            difference.each.push_back(compile ? shortPlace(compile->code) : std::string());
        found_.push_back(std::move(difference));
    }

    /// The last record of that name: of the last attempt.
    const LogRecord* recordOf(std::size_t log, std::string_view name) const {
        const auto& records = compiles_[log]->records;
        const auto last = std::find_if(records.rbegin(), records.rend(), [&](const LogRecord& record) {
            return logs_[log]->nameOf(record) == name && record.payload > 0;
        });
        return last == records.rend() ? nullptr : &*last;
    }

    std::vector<const LogRecord*> recordsOf(std::string_view name) const {
        std::vector<const LogRecord*> records;
        for (std::size_t i = 0; i < logs_.size(); ++i) records.push_back(recordOf(i, name));
        return records;
    }

    bool sameHashes(const std::vector<const LogRecord*>& records) const {
        std::set<std::string> hashes;
        for (std::size_t i = 0; i < records.size(); ++i) {
            if (!records[i]) return false;
            const std::string head = readers_[i].head(*records[i]);
            const auto envelope = readEnvelope(head);
            hashes.insert(envelope ? std::string(envelope->hash) : std::string());
        }
        return hashes.size() == 1 && !hashes.begin()->empty();
    }

    bool differs(std::string_view graph) {
        const auto records = recordsOf(graph);
        if (std::all_of(records.begin(), records.end(), [](const LogRecord* r) { return r == nullptr; })) return false;
        RankDifference difference{RankDifference::Kind::graph, id_, std::string(graph), {}, {}};
        if (std::find(records.begin(), records.end(), nullptr) != records.end()) {
            for (const LogRecord* record : records) difference.each.emplace_back(record ? "has it" : "");
            found_.push_back(std::move(difference));
            return true;
        }
        if (sameHashes(records)) return false;
        std::deque<std::string> texts;
        std::vector<GraphLines> graphs;
        for (std::size_t i = 0; i < records.size(); ++i) {
            texts.push_back(readers_[i].payload(*records[i]));
            graphs.emplace_back(texts.back());
        }
        return linesDiffer(difference, graphs);
    }

    /// The first line that differs in its sizes only, in numbers only, and in more than that.
    bool linesDiffer(const RankDifference& where, std::vector<GraphLines>& graphs) {
        std::set<RankDifference::Kind> kinds;
        for (;;) {
            std::vector<std::string> whole, each;
            bool more = false;
            for (GraphLines& lines : graphs) {
                std::string_view line;
                more |= lines.next(line);
                whole.push_back(onAnyDevice(line.substr(0, line.find(";  "))));
                each.push_back(shortLine(line));
            }
            if (!more) return !kinds.empty();
            if (std::equal(whole.begin() + 1, whole.end(), whole.begin())) continue;
            const auto kind = kindOf(whole);
            if (kinds.insert(kind).second) {
                const auto named =
                    std::find_if(each.begin(), each.end(), [](const auto& line) { return !line.empty(); });
                RankDifference difference = where;
                difference.kind = kind;
                difference.node = nodeOf(*named);
                difference.each = std::move(each);
                found_.push_back(std::move(difference));
            }
            if (kind == RankDifference::Kind::graph) return true;
        }
    }

    void saved() {
        const auto records = recordsOf("aot_backward_graph");
        if (std::find(records.begin(), records.end(), nullptr) != records.end() || sameHashes(records)) return;
        std::vector<std::vector<std::string>> sets;
        for (std::size_t i = 0; i < records.size(); ++i) sets.push_back(savedIn(readers_[i].payload(*records[i])));
        const auto inAll = [&](const std::string& name) {
            return std::all_of(sets.begin(), sets.end(),
                               [&](const auto& set) { return std::find(set.begin(), set.end(), name) != set.end(); });
        };
        RankDifference difference{RankDifference::Kind::saved, id_, "aot_backward_graph", {}, {}};
        bool any = false;
        for (const auto& set : sets) {
            std::string own;
            std::size_t count = 0;
            for (const std::string& name : set)
                if (!inAll(name) && ++count <= kMostShownNames) own += (own.empty() ? "" : ", ") + name;
            if (count > kMostShownNames) own += ", ...";
            any |= count > 0;
            difference.each.push_back(std::move(own));
        }
        if (any) found_.push_back(std::move(difference));
    }

    std::vector<std::string> collectivesOf(std::size_t log) const {
        auto list = readStory(*logs_[log], *compiles_[log], {}, {LogTopic::collectives}).collectives;
        std::erase_if(list, [](const std::string& op) { return op.find("wait_tensor") != std::string::npos; });
        if (!list.empty()) return list;
        for (const std::string_view graph : {kCompared[4], kCompared[2], kCompared[3]})
            if (const LogRecord* record = recordOf(log, graph)) addCollectives(readers_[log].payload(*record), list);
        return list;
    }

    void collectives() {
        std::vector<std::vector<std::string>> lists;
        for (std::size_t i = 0; i < logs_.size(); ++i) lists.push_back(collectivesOf(i));
        std::size_t longest = 0;
        for (const auto& list : lists) longest = std::max(longest, list.size());
        for (std::size_t at = 0; at < longest; ++at) {
            std::vector<std::string> each;
            for (const auto& list : lists) each.push_back(at < list.size() ? list[at] : std::string());
            if (std::equal(each.begin() + 1, each.end(), each.begin())) continue;
            found_.push_back({RankDifference::Kind::collectives, id_, {}, std::to_string(at + 1), std::move(each)});
            return;
        }
    }

    const Logs& logs_;
    const std::string& id_;
    std::vector<RankDifference>& found_;
    std::vector<const TracedCompile*> compiles_;
    std::deque<TraceReader> readers_;
};

/// Where the code is that was compiled; folders may be each machine's own.
std::set<std::string> placesOf(const TraceLog& log) {
    std::set<std::string> places;
    for (const TracedCompile& compile : log.compiles)
        if (compile.code.known()) places.insert(shortPlace(compile.code));
    return places;
}

/// What is not known may be the same.
bool shareCode(const std::set<std::string>& a, const std::set<std::string>& b) {
    return a.empty() || b.empty() || std::ranges::any_of(a, [&](const auto& place) { return b.contains(place); });
}

fs::file_time_type timeOf(const TraceLog& log) {
    std::error_code failed;
    const auto time = fs::last_write_time(log.path, failed);
    return failed ? fs::file_time_type() : time;
}

/// Zero for the same log.
fs::file_time_type::duration timeBetween(const TraceLog& a, const TraceLog& b) {
    const auto between = timeOf(a) - timeOf(b);
    return between < between.zero() ? -between : between;
}

/// Null if no log says its rank.
std::shared_ptr<const TraceLog> bestOfFirstRank(const Logs& logs) {
    std::vector<std::set<std::string>> places;
    for (const auto& log : logs) places.push_back(placesOf(*log));
    const auto likeIt = [&](std::size_t own) {
        return std::ranges::count_if(places, [&](const auto& other) { return shareCode(places[own], other); });
    };
    std::shared_ptr<const TraceLog> best;
    std::pair<std::ptrdiff_t, fs::file_time_type> most;
    for (std::size_t i = 0; i < logs.size(); ++i) {
        const auto rank = rankOf(*logs[i]);
        if (!rank || (best && *rank > *rankOf(*best))) continue;
        const std::pair own(places[i].empty() ? 0 : likeIt(i), timeOf(*logs[i]));
        if (best && *rank == *rankOf(*best) && own <= most) continue;
        best = logs[i];
        most = own;
    }
    return best;
}

/// Logs that are not compared, by the reason.
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
        if (it->is_regular_file(failed) && looksLikeTrace(it->path())) found.push_back(it->path());
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

std::vector<RankDifference> compareRanks(const Logs& logs, const Progress& progress) {
    std::vector<RankDifference> found;
    if (logs.size() < 2) return found;
    std::vector<std::string> ids;
    std::unordered_set<std::string> known;
    for (const auto& log : logs)
        for (const TracedCompile& compile : log->compiles)
            if (known.insert(compile.id).second) ids.push_back(compile.id);
    for (const std::string& id : ids) {
        progress.throwIfCancelled();
        Comparison(logs, id, found).run();
    }
    return found;
}

}  // namespace aotscope
