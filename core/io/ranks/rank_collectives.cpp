#include "io/ranks/rank_collectives.h"

#include "ir/printer.h"
#include "ops/collectives.h"
#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace aotscope {

namespace {

/// A call of a collective, as far as other ranks must match it.
struct RankCall {
    std::string group, text;
    RankDifference::Place place;  ///< its text: "forward %x"
    bool whole = false;           ///< its group is as large as all compared ranks together
    bool placed = false;          ///< the options give the ranks of the group

    RankDifference::Place line(const std::string& more = {}) const {
        return {place.text + ", " + text + more, place.node, place.graph};
    }
};

/// A message to another rank, or from it.
struct PlacedMessage {
    std::size_t from = 0, to = 0;  ///< among the compared ranks
    std::int64_t tag = 0;
    std::string type;
    RankDifference::Place place;

    RankDifference::Place line(const char* verb) const { return {place.text + verb + type, place.node, place.graph}; }
};

/// Without the device, which may differ between ranks; `rows`: with "*" as the first size.
std::string sentType(const Node& node, bool rows) {
    const TensorType* tensor = node.type.tensor();
    if (!tensor) return printType(node.type);
    std::string text = std::string(shortName(tensor->dtype)) + "[";
    const bool symbolic = tensor->symbolic != nullptr;
    for (std::size_t i = 0; i < tensor->sizes.size(); ++i) {
        if (i > 0) text += ", ";
        if (rows && i == 0) text += "*";
        else text += symbolic ? tensor->symbolic->sizes[i].text() : std::to_string(tensor->sizes[i]);
    }
    return text + "]";
}

std::string sentTypes(const Argument& argument, bool rows) {
    std::string text;
    forEachNode(argument, [&](const Node* node) { text += (text.empty() ? "" : ", ") + sentType(*node, rows); });
    return text;
}

class CallsOfRanks {
public:
    explicit CallsOfRanks(const std::vector<ComparedRank>& ranks) : ranks_(ranks), calls_(ranks.size()) {
        for (std::size_t i = 0; i < ranks.size(); ++i) places_[worldRank(i)] = i;
        for (std::size_t i = 0; i < ranks.size(); ++i) read(i);
        for (std::size_t i = 1; i < ranks.size(); ++i) giveSameNames(i);
    }

    std::vector<RankDifference> compare() {
        std::set<std::string> groups;
        for (const auto& calls : calls_)
            for (const RankCall& call : calls) groups.insert(call.group);
        for (const std::string& group : groups) compareGroup(group);
        if (found_.empty()) compareOrder();
        compareMessages();
        return std::move(found_);
    }

private:
    std::int64_t worldRank(std::size_t i) const {
        return ranks_[i].world.size > 0 ? static_cast<std::int64_t>(ranks_[i].world.rank)
                                        : static_cast<std::int64_t>(i);
    }

    void read(std::size_t i) {
        const CompileRecord& record = *ranks_[i].record;
        WorldShape shape = ranks_[i].world;
        if (shape.size == 0) shape.rank = 0;
        RankGroups groups(shape);
        auto kinds = executedGraphs(record);
        std::erase_if(kinds, [&](GraphKind kind) { return !record.graph(kind); });
        for (const GraphKind kind : kinds) noteGroupSizes(*record.graph(kind), groups);
        for (const GraphKind kind : kinds)
            for (const Node* node : record.graph(kind)->nodes())
                if (const auto call = collectiveOf(*node)) add(i, *node, *call, groups, kind);
    }

    void add(std::size_t i, const Node& node, const Collective& call, const RankGroups& groups, GraphKind kind) {
        const RankDifference::Place place{std::string(name(kind)) + " %" + node.name(), node.id(), kind};
        if (isMessage(call.kind)) return addMessages(i, node, call, groups, place);
        Collective made = call;
        made.redistribution.clear();  // not every source has it
        std::string text = kindAndReduction(made);
        if (!node.args().empty()) text += " of " + sentTypes(node.args()[0], call.kind == CollectiveKind::allToAll);
        if (call.kind == CollectiveKind::broadcast && node.args().size() > 1)
            text += " from rank " + printArgument(node.args()[1]);
        std::int64_t size = 0;
        try {
            size = groups.sizeOf(call.group, call.groupSize);
        } catch (const Error&) {  // the program contradicts the options: only the name is known
        }
        if (size > 1) text += " in a group of " + std::to_string(size);
        const auto placed = placedName(call.group, groups, ranks_[i].world);
        calls_[i].push_back({placed.value_or(inQuotes(call.group)), text, place,
                             size >= static_cast<std::int64_t>(ranks_.size()), placed.has_value()});
    }

    /// Identifies groups with a known layout by their ranks.
    static std::optional<std::string> placedName(const std::string& group, const RankGroups& groups,
                                                 const WorldShape& world) {
        const bool given =
            std::ranges::any_of(world.groups, [&](const auto& text) { return text.starts_with(group + "="); });
        try {
            if (given && world.size > 0)
                return inQuotes(group) + " of rank " + std::to_string(groups.groupOf(group).first);
        } catch (const Error&) {  // it does not fit into the world
        }
        return std::nullopt;
    }

    void addMessages(std::size_t i, const Node& node, const Collective& call, const RankGroups& groups,
                     const RankDifference::Place& place) {
        for (const RankMessage& made : messagesOf(node, call)) {
            const auto other = operandOf(i, made.peer, call.group, groups);
            if (!other) continue;
            const PlacedMessage message{made.sends ? i : *other, made.sends ? *other : i, made.tag,
                                        sentType(*made.tensor, false), place};
            (made.sends ? sent_ : received_).push_back(message);
        }
    }

    /// The compared rank that is rank `peer` of a group.
    std::optional<std::size_t> operandOf(std::size_t i, std::int64_t peer, const std::string& group,
                                         const RankGroups& groups) const {
        if (peer < 0 || peer >= static_cast<std::int64_t>(kMostRanks)) return std::nullopt;
        std::int64_t rank = peer;
        try {
            if (ranks_[i].world.size > 0) rank = groups.groupOf(group).member(static_cast<std::size_t>(peer));
        } catch (const Error&) {
            return std::nullopt;
        }
        const auto found = places_.find(rank);
        return found == places_.end() ? std::nullopt : std::optional(found->second);
    }

    enum class Which : std::uint8_t { all, unplaced };
    static std::vector<std::string> groupsIn(const std::vector<RankCall>& calls, Which which = Which::all) {
        std::vector<std::string> groups;
        for (const RankCall& call : calls)
            if ((which == Which::all || !call.placed) && std::ranges::find(groups, call.group) == groups.end())
                groups.push_back(call.group);
        return groups;
    }

    /// PyTorch numbers process groups on each rank: names that only one rank has match the first rank's, in order.
    void giveSameNames(std::size_t i) {
        std::vector<std::string> mine = groupsIn(calls_[i], Which::unplaced);
        std::vector<std::string> first = groupsIn(calls_[0], Which::unplaced);
        const auto known = mine;
        std::erase_if(mine, [&](const auto& name) { return std::ranges::find(first, name) != first.end(); });
        std::erase_if(first, [&](const auto& name) { return std::ranges::find(known, name) != known.end(); });
        if (mine.size() != first.size()) return;
        for (RankCall& call : calls_[i])
            if (const auto at = std::ranges::find(mine, call.group); at != mine.end())
                call.group = first[static_cast<std::size_t>(at - mine.begin())];
    }

    void compareGroup(const std::string& group) {
        std::vector<std::vector<const RankCall*>> lists(ranks_.size());
        bool whole = false;
        for (std::size_t i = 0; i < ranks_.size(); ++i)
            for (const RankCall& call : calls_[i])
                if (call.group == group) lists[i].push_back(&call), whole = whole || call.whole;
        std::vector<std::size_t> members;
        std::size_t longest = 0;
        for (std::size_t i = 0; i < ranks_.size(); ++i) {
            if (whole || !lists[i].empty()) members.push_back(i);
            longest = std::max(longest, lists[i].size());
        }
        for (std::size_t at = 0; at < longest; ++at) {
            const auto textOf = [&](std::size_t i) {
                return at < lists[i].size() ? lists[i][at]->text : std::string();
            };
            if (std::ranges::all_of(members, [&](std::size_t i) { return textOf(i) == textOf(members[0]); })) continue;
            RankDifference difference = numbered(at, "collective " + std::to_string(at + 1) + " of group " + group);
            for (const std::size_t i : members)
                if (at < lists[i].size()) difference.each[i] = lists[i][at]->line();
            for (std::size_t i = 0; i < ranks_.size(); ++i)
                if (std::ranges::find(members, i) == members.end()) difference.each[i].text = "not in the group";
            found_.push_back(std::move(difference));
            return;
        }
    }

    RankDifference numbered(std::size_t at, std::string among) const {
        return {RankDifference::Kind::collectives,
                {},
                {},
                std::to_string(at + 1),
                std::vector<RankDifference::Place>(ranks_.size()),
                std::move(among)};
    }

    /// Compares ranks that use the same groups.
    void compareOrder() {
        std::map<std::set<std::string>, std::vector<std::size_t>> alike;
        for (std::size_t i = 0; i < ranks_.size(); ++i) {
            const auto groups = groupsIn(calls_[i]);
            alike[{groups.begin(), groups.end()}].push_back(i);
        }
        for (const auto& [groups, members] : alike)
            for (std::size_t at = 0; at < calls_[members[0]].size(); ++at) {
                const std::string& first = calls_[members[0]][at].group;
                const auto same = [&](std::size_t i) { return at >= calls_[i].size() || calls_[i][at].group == first; };
                if (std::ranges::all_of(members, same)) continue;
                RankDifference difference = numbered(
                    at, "the order of collectives of several groups, at number " + std::to_string(at + 1) + ",");
                for (const std::size_t i : members)
                    if (at < calls_[i].size())
                        difference.each[i] = calls_[i][at].line(", group " + calls_[i][at].group);
                found_.push_back(std::move(difference));
                break;
            }
    }

    void compareMessages() {
        using Way = std::tuple<std::size_t, std::size_t, std::int64_t>;
        std::map<Way, std::pair<std::vector<const PlacedMessage*>, std::vector<const PlacedMessage*>>> ways;
        for (const PlacedMessage& m : sent_) ways[{m.from, m.to, m.tag}].first.push_back(&m);
        for (const PlacedMessage& m : received_) ways[{m.from, m.to, m.tag}].second.push_back(&m);
        for (const auto& [way, both] : ways) {
            const auto& [sent, received] = both;
            for (std::size_t at = 0; at < std::max(sent.size(), received.size()); ++at) {
                const bool here = at < sent.size(), there = at < received.size();
                if (here && there && sent[at]->type == received[at]->type) continue;
                const auto [from, to, tag] = way;
                RankDifference difference =
                    numbered(at, "message " + std::to_string(at + 1) + " from " + ranks_[from].name + " to " +
                                     ranks_[to].name + (tag == 0 ? "" : " with tag " + std::to_string(tag)));
                for (auto& each : difference.each) each.text = "not part of it";
                difference.each[from] = here ? sent[at]->line(" sends ") : RankDifference::Place();
                difference.each[to] = there ? received[at]->line(" receives ") : RankDifference::Place();
                found_.push_back(std::move(difference));
                break;
            }
        }
    }

    const std::vector<ComparedRank>& ranks_;
    std::map<std::int64_t, std::size_t> places_;  ///< maps ranks of the world to compared ranks
    std::vector<std::vector<RankCall>> calls_;
    std::vector<PlacedMessage> sent_, received_;
    std::vector<RankDifference> found_;
};

}  // namespace

std::vector<RankDifference> unlikeCollectives(const std::vector<ComparedRank>& ranks) {
    return CallsOfRanks(ranks).compare();
}

}  // namespace aotscope
