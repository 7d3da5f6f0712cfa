#include "io/tables/hang_table.h"

#include "support/joined.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>
#include <set>

namespace aotscope {

namespace {

/// "rank 2", "ranks 0-3 and 7".
std::string ranksText(const std::vector<int>& ranks) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
        const bool range = last > i + 1;
        parts.push_back(std::to_string(ranks[i]) + (range ? "-" + std::to_string(ranks[last]) : ""));
        i = range ? last + 1 : i + 1;
    }
    const std::string end = parts.back();
    parts.pop_back();
    return (ranks.size() == 1 ? "rank " : "ranks ") + joined(parts, ", ") + (parts.empty() ? "" : " and ") + end;
}

std::string placeText(const FlightEntry& entry) {
    if (entry.file.empty()) return {};
    const auto slash = entry.file.rfind('/');
    return oneLine(slash == std::string::npos ? entry.file : entry.file.substr(slash + 1)) + ":" +
           std::to_string(entry.line) + " in " + oneLine(entry.function);
}

std::string atPlace(const FlightEntry& entry) {
    const std::string place = placeText(entry);
    return place.empty() ? "" : " (" + place + ")";
}

/// "[4, 3] [2]".
std::string sizesText(const std::vector<std::vector<std::int64_t>>& tensors) {
    return joined(tensors, " ", [](const std::vector<std::int64_t>& sizes) {
        return "[" + joined(sizes, ", ", [](std::int64_t size) { return std::to_string(size); }) + "]";
    });
}

std::string signatureText(const FlightEntry& entry) {
    std::string text = oneLine(entry.operation);
    if (const std::string sizes = sizesText(entry.inputSizes); !sizes.empty()) text += " of " + sizes;
    if (!entry.inputTypes.empty()) text += " " + oneLine(joined(entry.inputTypes, " "));
    return text;
}

std::string groupText(const FlightEntry& call) {
    return "group " + inQuotes(call.groupDescription.empty() ? call.group : call.groupDescription);
}

/// "all_reduce number 17 of group 'tp'"; sends and receives have numbers of each rank's own.
std::string callText(const Hang& hang) {
    const FlightEntry& call = hang.call();
    const std::string name = oneLine(call.operation);
    return name + (call.pointToPoint ? "" : " number " + std::to_string(call.sequence)) + " of " +
           groupText(hang.call());
}

std::vector<int> ranksOf(const std::map<int, FlightEntry>& calls) {
    std::vector<int> ranks;
    for (const auto& [rank, entry] : calls) ranks.push_back(rank);
    return ranks;
}

const FlightDump* dumpOf(const HangReport& report, int rank) {
    const auto it = std::ranges::find(report.dumps, rank, &FlightDump::rank);
    return it == report.dumps.end() ? nullptr : &*it;
}

std::string lastText(const HangReport& report, const Hang& hang, int rank) {
    const FlightDump* const dump = dumpOf(report, rank);
    const std::string who = "rank " + std::to_string(rank);
    if (!dump || dump->entries.empty()) return "; " + who + " has called nothing";
    const FlightEntry& last = dump->entries.back();
    const std::string group = last.group == hang.group ? "" : " of " + groupText(last);
    return "; the last call of " + who + " is " + oneLine(last.operation) + " number " + std::to_string(last.sequence) +
           group + atPlace(last) + (last.isDone() ? ", which is done" : ", which is not done");
}

std::string missingText(const HangReport& report, const Hang& hang) {
    constexpr std::size_t most = 4;
    const bool several = hang.missing.size() > 1;
    std::string text = ranksText(hang.missing) + (several ? " have" : " has") + " not called " + callText(hang) +
                       ", which " + ranksText(ranksOf(hang.calls)) + " " + (hang.calls.size() == 1 ? "waits" : "wait") +
                       " for" + atPlace(hang.call());
    for (std::size_t i = 0; i < std::min(most, hang.missing.size()); ++i)
        text += lastText(report, hang, hang.missing[i]);
    return text;
}

/// The ranks that agree, then the others, each with what it has called.
std::string mismatchText(const Hang& hang) {
    std::vector<int> agreeing;
    for (const auto& [rank, entry] : hang.calls)
        if (std::ranges::find(hang.differing, rank) == hang.differing.end()) agreeing.push_back(rank);
    std::map<std::string, std::vector<int>> calls;
    for (const int rank : hang.differing) {
        const FlightEntry& entry = hang.calls.at(rank);
        calls[signatureText(entry) + atPlace(entry)].push_back(rank);
    }
    const auto called = [](const std::vector<int>& ranks) {
        return ranksText(ranks) + (ranks.size() == 1 ? " calls " : " call ");
    };
    std::string text = "ranks call different things as number " + std::to_string(hang.call().sequence) + " of " +
                       groupText(hang.call()) + ": " +
                       joined(calls, ", ", [&](const auto& call) { return called(call.second) + call.first; });
    if (!agreeing.empty()) {
        const FlightEntry& usual = hang.calls.at(agreeing.front());
        text += ", where " + called(agreeing) + signatureText(usual) + atPlace(usual);
    }
    if (!hang.missing.empty())
        text += "; " + ranksText(hang.missing) + (hang.missing.size() == 1 ? " has" : " have") + " not called it";
    const bool done = std::ranges::all_of(hang.calls, [](const auto& call) { return call.second.isDone(); });
    return text + (done ? "; it did not hang, but its results are wrong" : "");
}

std::string stuckText(const Hang& hang) {
    std::vector<int> open;
    for (const auto& [rank, entry] : hang.calls)
        if (!entry.isDone()) open.push_back(rank);
    return ranksText(ranksOf(hang.calls)) + " have all called " + callText(hang) + ", and it does not finish on " +
           ranksText(open) + atPlace(hang.calls.at(open.front())) + ": look for a failed network, GPU or process there";
}

std::string sentence(const HangReport& report, const Hang& hang) {
    std::string text;
    switch (hang.kind) {
        case HangKind::mismatch: text = mismatchText(hang); break;
        case HangKind::missing: text = missingText(report, hang); break;
        case HangKind::stuck:
            text = hang.withoutDump.empty()
                       ? stuckText(hang)
                       : ranksText(ranksOf(hang.calls)) + " wait for " + callText(hang) + atPlace(hang.call());
            break;
    }
    if (!hang.withoutDump.empty())
        text += "; there is no dump of " + ranksText(hang.withoutDump) + ", which " +
                (hang.withoutDump.size() == 1 ? "is" : "are") + " in the group";
    return text;
}

/// What a rank does in the first hang that it takes part in.
struct RankPart {
    std::string does = "goes on";
    const FlightEntry* call = nullptr;
};

RankPart partOf(const HangReport& report, int rank) {
    for (const Hang& hang : report.hangs) {
        const auto call = hang.calls.find(rank);
        if (std::ranges::find(hang.differing, rank) != hang.differing.end()) return {"differs", &call->second};
        if (call != hang.calls.end() && !call->second.isDone()) return {"waits", &call->second};
    }
    for (const Hang& hang : report.hangs)
        if (std::ranges::find(hang.missing, rank) != hang.missing.end()) return {"is missing", nullptr};
    return {};
}

}  // namespace

std::string hangText(const HangReport& report) {
    if (report.hangs.empty())
        return counted(report.dumps.size(), "rank") + ": no collective hangs, all that were called are done\n";
    std::string text;
    if (report.isDeadlock())
        text += "deadlock: every rank that is missing somewhere waits elsewhere, so the ranks wait for each other\n";
    for (const Hang& hang : report.hangs) {
        text += sentence(report, hang);
        text += hang.follows() && !report.isDeadlock() ? " (follows from the above)\n" : "\n";
    }
    return text;
}

Table hangTable(const HangReport& report) {
    Table table{"ranks",
                {{"rank", "Rank", "its number"},
                 {"does", "Does", "differs, waits, is missing where others wait, or goes on"},
                 {"group", "Group", "of the call that is not done"},
                 {"operation", "Call", "that is not done"},
                 {"number", "Number", "of the call in its group"},
                 {"state", "State", "scheduled or started; gloo does not record it"},
                 {"sizes", "Sizes", "of its inputs"},
                 {"dtypes", "Dtypes", "of its inputs"},
                 {"place", "Line", "the innermost line outside PyTorch"},
                 {"last_operation", "Last Done", "the last call that is done"},
                 {"last_number", "", "its number in its group"},
                 {"last_place", "at", "the innermost line outside PyTorch"}}};
    for (const FlightDump& dump : report.dumps) {
        const RankPart part = partOf(report, dump.rank);
        auto& cells = table.add(static_cast<std::int64_t>(dump.rank), part.does).cells;
        if (const FlightEntry* const call = part.call) {
            cells.push_back(Table::given(call->groupDescription.empty() ? call->group : call->groupDescription));
            cells.emplace_back(call->operation);
            cells.emplace_back(call->sequence);
            cells.emplace_back(name(call->state));
            cells.push_back(Table::given(sizesText(call->inputSizes)));
            cells.push_back(Table::given(joined(call->inputTypes, " ")));
            cells.push_back(Table::given(placeText(*call)));
        } else {
            cells.resize(cells.size() + 7);
        }
        const auto done = std::find_if(dump.entries.rbegin(), dump.entries.rend(),
                                       [](const FlightEntry& entry) { return entry.isDone(); });
        if (done == dump.entries.rend()) {
            cells.resize(cells.size() + 3);
            continue;
        }
        cells.emplace_back(done->operation);
        cells.emplace_back(done->sequence);
        cells.push_back(Table::given(placeText(*done)));
    }
    return table;
}

}  // namespace aotscope
