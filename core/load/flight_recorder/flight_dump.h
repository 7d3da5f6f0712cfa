#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// How far a collective has come on a rank.
enum class CollectiveState : std::uint8_t { scheduled, started, completed };
std::string_view name(CollectiveState state);

/// A collective, or a send or receive, that a rank has called.
struct FlightEntry {
    std::int64_t sequence = 0;  ///< its number in the group, counted apart for sends and receives
    std::string operation;      ///< "all_reduce", "send 0->1"
    std::string group, groupDescription;
    CollectiveState state = CollectiveState::scheduled;
    bool pointToPoint = false;
    std::vector<std::vector<std::int64_t>> inputSizes, outputSizes;
    std::vector<std::string> inputTypes;
    std::int64_t created = 0;  ///< ns since 1970
    // The innermost line outside of PyTorch; empty if stacks were not recorded.
    std::string file, function;
    std::int64_t line = 0;

    bool isDone() const { return state == CollectiveState::completed; }
};

/// What the flight recorder of one rank has written.
struct FlightDump {
    int rank = 0;
    std::filesystem::path path;
    std::int64_t beginsAt =
        0;  ///< the number of the first entry among all that were recorded; later ones are all there
    std::vector<FlightEntry> entries;                 ///< oldest first; the beginning may be missing
    std::map<std::string, std::vector<int>> members;  ///< the ranks of each group, if recorded
};

}  // namespace aotscope
