#include "load/flight_recorder/flight_groups.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace aotscope {

namespace {

using GroupKey = std::pair<std::string, std::vector<int>>;

/// The members that a dump has recorded; it may name fewer than those that call.
std::vector<int> membersIn(const FlightDump& dump, const std::string& group) {
    const auto it = dump.members.find(group);
    return it == dump.members.end() ? std::vector<int>() : it->second;
}

void addEntries(const FlightDump& dump, std::map<GroupKey, FlightGroup>& groups) {
    for (const FlightEntry& entry : dump.entries) {
        FlightGroup& group = groups[{entry.group, membersIn(dump, entry.group)}];
        group.name = entry.group;
        group.description = entry.groupDescription;
        RankCalls& calls = group.calls[dump.rank];
        calls.dump = &dump;
        if (entry.pointToPoint) calls.pointToPoint.push_back(&entry);
        else calls.collectives[entry.sequence].push_back(&entry);
    }
}

/// Members that have called nothing in the group, and those that others have not recorded.
void addMembers(const std::vector<int>& recorded, const std::vector<FlightDump>& dumps, FlightGroup& group) {
    std::set<int> members(recorded.begin(), recorded.end());
    for (const auto& [rank, calls] : group.calls) members.insert(rank);
    group.members.assign(members.begin(), members.end());
    for (const FlightDump& dump : dumps)
        if (members.contains(dump.rank)) group.calls[dump.rank].dump = &dump;
}

}  // namespace

RankCalls::At RankCalls::at(std::int64_t number) const {
    if (collectives.contains(number)) return At::has;
    if (collectives.empty()) return dump->beginsAt == 0 ? At::missing : At::passed;
    return number > collectives.rbegin()->first ? At::missing : At::passed;
}

std::vector<int> FlightGroup::withoutDump() const {
    std::vector<int> ranks;
    std::ranges::copy_if(members, std::back_inserter(ranks), [&](int rank) { return !calls.contains(rank); });
    return ranks;
}

std::vector<FlightGroup> groupsIn(const std::vector<FlightDump>& dumps) {
    std::map<GroupKey, FlightGroup> groups;
    for (const FlightDump& dump : dumps) addEntries(dump, groups);
    std::vector<FlightGroup> all;
    for (auto& [key, group] : groups) {
        addMembers(key.second, dumps, group);
        all.push_back(std::move(group));
    }
    return all;
}

}  // namespace aotscope
