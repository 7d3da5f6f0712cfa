#pragma once

#include "load/flight_recorder/flight_dump.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// Why a collective does not finish.
enum class HangKind : std::uint8_t {
    mismatch,  ///< ranks call different operations, sizes or dtypes under one number
    missing,   ///< some ranks have not called it
    stuck,     ///< all have called the same, and it does not finish
};
std::string_view name(HangKind kind);

/// The first collective of a group, or the first send or receive of two ranks, that does not finish; or a collective
/// that is done, although ranks have called different things.
struct Hang {
    HangKind kind = HangKind::stuck;
    std::string group, groupDescription;
    std::map<int, FlightEntry> calls;   ///< by rank: what it has called
    std::vector<int> missing;           ///< ranks that have a dump, and have not called it
    std::vector<int> differing;         ///< ranks that differ from most others; all if no majority agrees
    std::vector<int> withoutDump;       ///< members of the group whose dumps are not there
    std::vector<int> waitingElsewhere;  ///< those of the missing ranks that have called something that is not done

    const FlightEntry& call() const { return calls.begin()->second; }
    /// No missing rank could come: this is an effect of what they wait for, or they wait for each other.
    bool follows() const { return !missing.empty() && waitingElsewhere.size() == missing.size(); }
};

/// What keeps a distributed program from going on.
struct HangReport {
    std::vector<FlightDump> dumps;  ///< by rank
    std::vector<Hang> hangs;        ///< causes before effects

    /// Everything that a rank waits for follows from something else.
    bool isDeadlock() const { return !hangs.empty() && hangs.front().follows(); }
};

/// Compares what the ranks have called, group by group and number by number. Sizes are compared by their number of
/// elements, as NCCL does, and where they must be equal.
HangReport findHangs(std::vector<FlightDump> dumps);

}  // namespace aotscope
