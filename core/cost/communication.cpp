#include "cost/communication.h"

#include "cost/node_figures.h"

#include "ops/op_table.h"
#include "support/error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

namespace aotscope {

namespace {

/// The least number of messages that must follow each other.
double roundsOf(CollectiveKind kind, std::int64_t ranks) {
    const double levels = std::ceil(std::log2(static_cast<double>(std::max<std::int64_t>(ranks, 1))));
    switch (kind) {
        case CollectiveKind::allReduce: return 2 * levels;
        case CollectiveKind::allGather:
        case CollectiveKind::reduceScatter:
        case CollectiveKind::broadcast: return levels;
        case CollectiveKind::allToAll:
        case CollectiveKind::send:
        case CollectiveKind::receive:
        case CollectiveKind::batch: return 1;
    }
    return 1;
}

/// Adds the names of `value` and of all its views that are saved.
void addSaved(const Node& value, const std::set<NodeId>& saved, std::set<const Node*>& seen,
              std::vector<std::string>& names) {
    if (!seen.insert(&value).second) return;
    if (saved.contains(value.id())) names.push_back(value.name());
    for (const Node* user : value.users())
        if (isWait(*user) || isGetitem(*user) || opFamily(user->op()) == OpFamily::view)
            addSaved(*user, saved, seen, names);
}

/// Schedules the nodes of a graph on the two streams.
class Timeline {
public:
    Timeline(const Graph& graph, GraphKind kind, const RankGroups& groups, const Links& links,
             const MachineModel& machine, const OperatorCosts& costs, const std::set<NodeId>& saved)
        : groups_(groups), links_(links), machine_(machine), costs_(costs), saved_(saved) {
        result_.graph = kind;
        for (const Node* node : graph.nodes()) {
            const double before = result_.computing;
            pass(*node);
            moments_.push_back({node, now_, result_.computing - before});
        }
        finish();
        explainExposure(moments_, result_);
    }

    GraphCommunication take() { return std::move(result_); }

private:
    void pass(const Node& node) {
        if (auto collective = collectiveOf(node)) return issue(node, std::move(*collective));
        if (isWait(node)) return waitFor(node);
        const double ms = node.kind() == NodeKind::call ? timeOf(node, machine_, costs_).value : 0;
        if (ms > 0) result_.computations.push_back({node.id(), node.name(), node.op(), now_, ms});
        now_ += ms;
        result_.computing += ms;
    }

    void issue(const Node& node, Collective call) {
        CollectiveTime time;
        time.node = node.id();
        time.name = node.name();
        if (node.source) time.module = node.source->module;
        time.group = groups_.groupOf(call.group, call.groupSize);
        time.sentBytes = bytesOnTheWire(call, time.group.size());
        time.issue = now_;
        time.start = std::max(now_, free_);
        time.end = free_ = time.start + collectiveMs(call, time.group, links_);
        time.wait = -1;
        for (const Node* wait : waitsFor(node)) {
            time.waits.push_back(wait->name());
            time.waitIds.push_back(wait->id());
        }
        std::set<const Node*> seen;
        addSaved(node, saved_, seen, time.savedAs);
        time.call = std::move(call);
        result_.communicating += time.duration();
        places_[&node] = result_.collectives.size();
        result_.collectives.push_back(std::move(time));
    }

    void waitFor(const Node& wait) {
        const auto found = places_.find(waitedFor(wait));
        if (found == places_.end()) return;
        CollectiveTime& time = result_.collectives[found->second];
        if (time.wait < 0) time.wait = now_;
        result_.exposed += std::max(0.0, time.end - now_);
        now_ = std::max(now_, time.end);
    }

    void finish() {
        for (CollectiveTime& time : result_.collectives)
            if (time.wait < 0) time.wait = now_;
        result_.exposed += std::max(0.0, free_ - now_);
        result_.total = std::max(now_, free_);
    }

    const RankGroups& groups_;
    const Links& links_;
    const MachineModel& machine_;
    const OperatorCosts& costs_;
    const std::set<NodeId>& saved_;
    GraphCommunication result_;
    std::unordered_map<const Node*, std::size_t> places_;
    std::vector<NodeMoment> moments_;
    double now_ = 0, free_ = 0;
};

std::set<NodeId> savedIn(const Partition& partition) {
    std::set<NodeId> saved;
    for (const SavedValue& value : partition.saved) saved.insert(value.node);
    return saved;
}

/// For the graphs that communicate. `machine` is called only if there are any.
Communication simulate(const std::vector<std::pair<GraphKind, const Graph*>>& graphs, const std::set<NodeId>& saved,
                       const WorldShape& world, const Links& links, const MachineSource& machine,
                       const OperatorCosts& costs) {
    RankGroups groups(world);
    Communication found;
    const auto isCall = [](const Node* node) { return collectiveOf(*node).has_value(); };
    for (const auto& [kind, graph] : graphs)
        if (graph) noteGroupSizes(*graph, groups);
    try {
        for (const auto& [kind, graph] : graphs)
            if (graph && std::ranges::any_of(graph->nodes(), isCall))
                found.graphs.push_back(Timeline(*graph, kind, groups, links, machine(), costs,
                                                kind == GraphKind::forward ? saved : std::set<NodeId>())
                                           .take());
    } catch (const Error& e) {
        return {.problem = e.what()};
    }
    return found;
}

/// A gather that was merged into a bucket is found by its wait, which keeps its id.
void addUnshards(const Graph& joint, const Partition& partition, Communication& found) {
    for (const Unshard& unshard : unshardsOf(joint)) {
        UnshardCost cost{unshard, fateOf(unshard, partition), savedBytesOf(unshard, partition), 0, 0};
        for (const GraphCommunication& graph : found.graphs)
            for (const CollectiveTime& time : graph.collectives) {
                if (time.node != unshard.gather && std::ranges::count(time.waitIds, unshard.wait) == 0) continue;
                cost.sentBytes +=
                    time.sentBytes / static_cast<std::int64_t>(std::max<std::size_t>(time.waitIds.size(), 1));
                cost.exposed += time.exposed();
            }
        found.unshards.push_back(std::move(cost));
    }
}

}  // namespace

std::int64_t GraphCommunication::sentBytes() const {
    std::int64_t bytes = 0;
    for (const CollectiveTime& time : collectives) bytes += time.sentBytes;
    return bytes;
}

std::int64_t GraphCommunication::savedGatherBytes() const {
    std::int64_t bytes = 0;
    for (const CollectiveTime& time : collectives)
        if (time.call.kind == CollectiveKind::allGather && !time.savedAs.empty()) bytes += time.call.resultBytes;
    return bytes;
}

std::vector<ModuleCommunication> GraphCommunication::modules() const {
    std::map<std::string, ModuleCommunication> sums;
    for (const CollectiveTime& time : collectives) {
        ModuleCommunication& sum = sums[time.module];
        sum.module = time.module;
        ++sum.calls;
        sum.sentBytes += time.sentBytes;
        sum.communicating += time.duration();
        sum.exposed += time.exposed();
    }
    std::vector<ModuleCommunication> list;
    for (auto& [module, sum] : sums) list.push_back(std::move(sum));
    std::ranges::stable_sort(list, std::greater<>(), &ModuleCommunication::exposed);
    return list;
}

const CollectiveTime* Communication::find(NodeId node) const {
    const CollectiveTime* found = nullptr;
    for (const GraphCommunication& graph : graphs)
        for (const CollectiveTime& time : graph.collectives)
            if ((time.node == node || std::ranges::count(time.waitIds, node) > 0) &&
                (!found || time.exposed() > found->exposed()))
                found = &time;
    return found;
}

const UnshardCost* Communication::unshardOf(NodeId node) const {
    const auto found = std::ranges::find_if(
        unshards, [&](const UnshardCost& cost) { return cost.unshard.shard == node || cost.unshard.has(node); });
    return found == unshards.end() ? nullptr : &*found;
}

std::int64_t Communication::sentBytes() const {
    std::int64_t bytes = 0;
    for (const GraphCommunication& graph : graphs) bytes += graph.sentBytes();
    return bytes;
}

double Communication::exposed() const {
    double ms = 0;
    for (const GraphCommunication& graph : graphs) ms += graph.exposed;
    return ms;
}

double Communication::total() const {
    double ms = 0;
    for (const GraphCommunication& graph : graphs) ms += graph.total;
    return ms;
}

std::int64_t Communication::largestGroup() const {
    std::int64_t largest = 1;
    for (const GraphCommunication& graph : graphs)
        for (const CollectiveTime& time : graph.collectives) largest = std::max(largest, time.group.size());
    return largest;
}

double collectiveMs(const Collective& collective, const RankGroup& group, const Links& links) {
    if (group.size() <= 1) return 0;
    const Link& link = links.of(group);
    if (links.meeting)
        return link.latencyUs / 1e3 +
               static_cast<double>(bytesAtMeeting(collective, group.size())) / link.bytesPerSecond * 1e3;
    return roundsOf(collective.kind, group.size()) * link.latencyUs / 1e3 +
           static_cast<double>(bytesOnTheWire(collective, group.size())) / link.bytesPerSecond * 1e3;
}

Communication communicationOf(const CompileRecord& record, const WorldShape& world, const Links& links,
                              const MachineSource& machine) {
    const Partition* split = record.partition.get();
    const auto half = [&](GraphKind kind, const std::shared_ptr<const Graph>& graph) {
        return std::pair(kind, graph ? graph.get() : record.graph(kind).get());
    };
    Communication found =
        simulate({half(GraphKind::forward, split ? split->forward : nullptr),
                  half(GraphKind::backward, split ? split->backward : nullptr), half(GraphKind::inference, nullptr)},
                 split ? savedIn(*split) : std::set<NodeId>(), world, links, machine, record.knownCosts());
    if (const auto joint = record.graph(GraphKind::joint); joint && split) addUnshards(*joint, *split, found);
    return found;
}

Communication communicationOf(const Partition& partition, const WorldShape& world, const Links& links,
                              const MachineModel& machine, const OperatorCosts& costs) {
    return simulate(
        {{GraphKind::forward, partition.forward.get()}, {GraphKind::backward, partition.backward.get()}},
        savedIn(partition), world, links, [&] { return machine; }, costs);
}

}  // namespace aotscope
