#include "load/flight_recorder/hang.h"

#include "load/flight_recorder/flight_groups.h"
#include "support/enumerators.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

namespace aotscope {

namespace {

/// Operations whose ranks may give different sizes.
bool mayDifferInSize(std::string_view operation) {
    const auto has = [&](std::string_view part) { return operation.find(part) != std::string_view::npos; };
    return has("all_to_all") || has("alltoall") || has("gather_v") || has("scatter_v") || has("barrier") ||
           has("coalesced") || operation == "gather" || operation == "scatter";
}

/// The number of elements, or the largest integer.
std::int64_t elementsIn(const std::vector<std::vector<std::int64_t>>& tensors) {
    std::int64_t sum = 0;
    for (const auto& sizes : tensors) {
        std::int64_t product = 1;
        for (const std::int64_t size : sizes)
            if (__builtin_mul_overflow(product, size, &product)) return std::numeric_limits<std::int64_t>::max();
        if (__builtin_add_overflow(sum, product, &sum)) return std::numeric_limits<std::int64_t>::max();
    }
    return sum;
}

/// What must be the same on all ranks.
using CallSignature = std::tuple<std::string, std::int64_t, std::vector<std::string>>;

CallSignature callSignatureOf(const FlightEntry& entry) {
    return {entry.operation, mayDifferInSize(entry.operation) ? 0 : elementsIn(entry.inputSizes),
            mayDifferInSize(entry.operation) ? std::vector<std::string>() : entry.inputTypes};
}

/// The ranks whose signature is not that of most; all if there is no such majority.
std::vector<int> differingRanks(const std::map<int, FlightEntry>& calls) {
    std::map<CallSignature, std::vector<int>> ranks;
    for (const auto& [rank, entry] : calls) ranks[callSignatureOf(entry)].push_back(rank);
    const auto most = std::ranges::max_element(ranks, {}, [](const auto& each) { return each.second.size(); });
    const auto asMany =
        std::ranges::count_if(ranks, [&](const auto& each) { return each.second.size() == most->second.size(); });
    std::vector<int> differing;
    for (auto it = ranks.begin(); it != ranks.end(); ++it)
        if (it != most || asMany > 1) differing.insert(differing.end(), it->second.begin(), it->second.end());
    std::ranges::sort(differing);
    return differing;
}

/// The entry of a coalesced collective that is not done, or differs in its place from that of others.
const FlightEntry& entryToCompare(const std::vector<const FlightEntry*>& entries, std::size_t place) {
    return *entries[std::min(place, entries.size() - 1)];
}

Hang hangIn(const FlightGroup& group) {
    Hang hang;
    hang.group = group.name;
    hang.groupDescription = group.description;
    hang.withoutDump = group.withoutDump();
    return hang;
}

/// Who has called this number, and who has not.
Hang hangAt(const FlightGroup& group, std::int64_t number) {
    Hang hang = hangIn(group);
    std::size_t places = 0;
    for (const auto& [rank, calls] : group.calls) {
        if (calls.at(number) == RankCalls::At::missing) hang.missing.push_back(rank);
        if (calls.at(number) == RankCalls::At::has) places = std::max(places, calls.collectives.at(number).size());
    }
    for (std::size_t place = 0; place < places && hang.differing.empty(); ++place) {
        hang.calls.clear();
        for (const auto& [rank, calls] : group.calls)
            if (calls.at(number) == RankCalls::At::has)
                hang.calls[rank] = entryToCompare(calls.collectives.at(number), place);
        hang.differing = differingRanks(hang.calls);
    }
    hang.kind = !hang.differing.empty() ? HangKind::mismatch
                : !hang.missing.empty() ? HangKind::missing
                                        : HangKind::stuck;
    return hang;
}

bool isDoneOnAll(const FlightGroup& group, std::int64_t number) {
    return std::ranges::all_of(group.calls, [&](const auto& each) {
        const auto entries = each.second.collectives.find(number);
        return entries == each.second.collectives.end() ||
               std::ranges::all_of(entries->second, [](const FlightEntry* entry) { return entry->isDone(); });
    });
}

/// The first collective that is not done, and the first before it that is, although ranks have called different things.
void addCollectives(const FlightGroup& group, std::vector<Hang>& hangs) {
    std::set<std::int64_t> numbers;
    for (const auto& [rank, calls] : group.calls)
        for (const auto& [number, entries] : calls.collectives) numbers.insert(number);
    bool differed = false;
    for (const std::int64_t number : numbers) {
        const bool done = isDoneOnAll(group, number);
        if (done && differed) continue;
        Hang hang = hangAt(group, number);
        if (done && hang.kind != HangKind::mismatch) continue;
        hangs.push_back(std::move(hang));
        if (!done) return;
        differed = true;
    }
}

/// "send 0->1" or "recv 1<-0", in ranks of the group.
struct Transfer {
    bool sends = false;
    std::size_t self = 0, peer = 0;
};

std::optional<Transfer> transferOf(std::string_view operation) {
    Transfer transfer;
    transfer.sends = operation.starts_with("send ");
    if (!transfer.sends && !operation.starts_with("recv ")) return std::nullopt;
    const std::string_view ranks = operation.substr(5), arrow = transfer.sends ? "->" : "<-";
    const auto at = ranks.find(arrow);
    if (at == std::string_view::npos) return std::nullopt;
    const auto read = [](std::string_view text, std::size_t& number) {
        return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
    };
    if (!read(ranks.substr(0, at), transfer.self) || !read(ranks.substr(at + 2), transfer.peer)) return std::nullopt;
    return transfer;
}

std::string oppositeOf(const Transfer& transfer) {
    return transfer.sends ? "recv " + std::to_string(transfer.peer) + "<-" + std::to_string(transfer.self)
                          : "send " + std::to_string(transfer.peer) + "->" + std::to_string(transfer.self);
}

/// The first entry that is not done, by operation if one is given.
const FlightEntry* firstOpen(const std::vector<const FlightEntry*>& entries, std::string_view operation = {}) {
    const auto it = std::ranges::find_if(entries, [&](const FlightEntry* entry) {
        return !entry->isDone() &&
               (operation.empty() ? transferOf(entry->operation).has_value() : entry->operation == operation);
    });
    return it == entries.end() ? nullptr : *it;
}

/// Sends and receives are numbered by each rank for itself: the first of two ranks that is not done belongs to the
/// first of the other.
void addTransfers(const FlightGroup& group, std::vector<Hang>& hangs) {
    std::set<std::pair<int, int>> seen;
    for (const auto& [rank, calls] : group.calls) {
        const FlightEntry* const entry = firstOpen(calls.pointToPoint);
        const auto transfer = entry ? transferOf(entry->operation) : std::nullopt;
        if (!transfer || transfer->peer >= group.members.size()) continue;
        const int peer = group.members[transfer->peer];
        if (!seen.insert(std::minmax(rank, peer)).second) continue;
        Hang hang = hangIn(group);
        hang.calls[rank] = *entry;
        const auto other = group.calls.find(peer);
        const FlightEntry* const opposite =
            other == group.calls.end() ? nullptr : firstOpen(other->second.pointToPoint, oppositeOf(*transfer));
        std::erase_if(hang.withoutDump, [&](int each) { return each != peer; });
        if (opposite) hang.calls[peer] = *opposite;
        else if (other != group.calls.end()) hang.missing.push_back(peer);
        const auto elements = [](const FlightEntry& each) {
            return std::max(elementsIn(each.inputSizes), elementsIn(each.outputSizes));
        };
        const bool differs =
            opposite && (elements(*entry) != elements(*opposite) || entry->inputTypes != opposite->inputTypes);
        if (differs) hang.differing = {rank, peer};
        hang.kind = differs ? HangKind::mismatch : opposite ? HangKind::stuck : HangKind::missing;
        hangs.push_back(std::move(hang));
    }
}

/// Whether a rank has called something that is not done.
bool waits(const std::vector<FlightDump>& dumps, int rank) {
    const auto dump = std::ranges::find(dumps, rank, &FlightDump::rank);
    return dump != dumps.end() && !std::ranges::all_of(dump->entries, &FlightEntry::isDone);
}

std::int64_t earliestCallOf(const Hang& hang) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const auto& [rank, entry] : hang.calls) first = std::min(first, entry.created);
    return first;
}

}  // namespace

std::string_view name(HangKind kind) { return spelled(kind); }

HangReport findHangs(std::vector<FlightDump> dumps) {
    HangReport report;
    report.dumps = std::move(dumps);
    for (const FlightGroup& group : groupsIn(report.dumps)) {
        addCollectives(group, report.hangs);
        addTransfers(group, report.hangs);
    }
    for (Hang& hang : report.hangs)
        std::ranges::copy_if(hang.missing, std::back_inserter(hang.waitingElsewhere),
                             [&](int rank) { return waits(report.dumps, rank); });
    std::ranges::stable_sort(report.hangs, {}, [](const Hang& hang) {
        return std::tuple(hang.kind != HangKind::mismatch, hang.follows(), !hang.waitingElsewhere.empty(),
                          earliestCallOf(hang));
    });
    return report;
}

}  // namespace aotscope
