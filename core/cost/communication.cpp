#include "cost/communication.h"

#include "ops/op_table.h"
#include "support/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>

namespace aotscope {

namespace {

/// Messages that have to follow each other, at least.
double stepsOf(CollectiveKind kind, std::int64_t ranks) {
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

/// Adds the names of `value` and of all that looks into its memory, as far as they are saved.
void addSaved(const Node& value, const std::set<NodeId>& saved, std::set<const Node*>& seen,
              std::vector<std::string>& names) {
    if (!seen.insert(&value).second) return;
    if (saved.contains(value.id())) names.push_back(value.name());
    for (const Node* user : value.users())
        if (isWait(*user) || opFamily(user->op()) == OpFamily::view) addSaved(*user, saved, seen, names);
}

/// Lets the nodes of a graph pass on the two streams.
class Timeline {
public:
    Timeline(const Graph& graph, GraphKind kind, const RankGroups& groups, const Links& links,
             const MachineModel& machine, const std::set<NodeId>& saved)
        : groups_(groups), links_(links), machine_(machine), saved_(saved) {
        result_.graph = kind;
        for (const Node* node : graph.nodes()) pass(*node);
        finish();
    }

    GraphCommunication take() { return std::move(result_); }

private:
    void pass(const Node& node) {
        if (auto collective = collectiveOf(node)) return issue(node, std::move(*collective));
        if (isWait(node)) return waitFor(node);
        const double ms = node.kind() == NodeKind::call ? estimatedMs(node, machine_) : 0;
        if (ms > 0) result_.computations.push_back({node.id(), node.name(), node.op(), now_, ms});
        now_ += ms;
        result_.computing += ms;
    }

    void issue(const Node& node, Collective call) {
        CollectiveTime time;
        time.node = node.id();
        time.name = node.name();
        time.group = groups_.groupOf(call.group, call.groupSize);
        time.sentBytes = bytesOnTheWire(call, time.group.size());
        time.issue = now_;
        time.start = std::max(now_, free_);
        time.end = free_ = time.start + collectiveMs(call, time.group, links_);
        time.wait = -1;
        for (const Node* wait : waitsFor(node)) time.waits.push_back(wait->name());
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
    const std::set<NodeId>& saved_;
    GraphCommunication result_;
    std::unordered_map<const Node*, std::size_t> places_;
    double now_ = 0, free_ = 0;
};

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

double collectiveMs(const Collective& collective, const RankGroup& group, const Links& links) {
    if (group.size() <= 1) return 0;
    const Link& link = links.of(group);
    return stepsOf(collective.kind, group.size()) * link.latencyUs / 1e3 +
           static_cast<double>(bytesOnTheWire(collective, group.size())) / link.bytesPerSecond * 1e3;
}

Communication communicationOf(const CompileRecord& record, const WorldShape& world, const Links& links,
                              const std::string& device) {
    RankGroups groups(world);
    Communication found;
    std::set<NodeId> saved;
    if (record.partition)
        for (const SavedValue& value : record.partition->saved) saved.insert(value.node);
    constexpr std::array kinds = {GraphKind::forward, GraphKind::backward, GraphKind::inference};
    for (const GraphKind kind : kinds)
        if (const auto graph = record.graph(kind)) noteGroupSizes(*graph, groups);
    try {
        for (const GraphKind kind : kinds) {
            const auto graph = record.graph(kind);
            const auto nodes = graph ? graph->nodes() : std::vector<Node*>();
            const auto isCall = [](const Node* node) { return collectiveOf(*node).has_value(); };
            if (std::ranges::none_of(nodes, isCall)) continue;
            found.graphs.push_back(Timeline(*graph, kind, groups, links, machineModel(device),
                                            kind == GraphKind::forward ? saved : std::set<NodeId>())
                                       .take());
        }
    } catch (const Error& e) {
        return {{}, e.what()};
    }
    return found;
}

}  // namespace aotscope
