#pragma once

#include "load/flight_recorder/flight_dump.h"

#include <map>
#include <string>
#include <vector>

namespace aotscope {

/// The entries of one rank in a group.
struct RankCalls {
    const FlightDump* dump = nullptr;
    std::map<std::int64_t, std::vector<const FlightEntry*>> collectives;  ///< by number; several if they are coalesced
    std::vector<const FlightEntry*> pointToPoint;

    /// How the rank stands to a number that others have called.
    enum class At : std::uint8_t { has, passed, missing };
    At at(std::int64_t number) const;
};

/// A process group, as the dumps tell it.
struct FlightGroup {
    std::string name, description;
    std::vector<int> members;        ///< by rank, with or without dumps
    std::map<int, RankCalls> calls;  ///< of members with dumps

    std::vector<int> withoutDump() const;
};

/// Groups of the same name and different members are different. Where the members were not recorded, they are the
/// ranks that have called something in it.
std::vector<FlightGroup> groupsIn(const std::vector<FlightDump>& dumps);

}  // namespace aotscope
