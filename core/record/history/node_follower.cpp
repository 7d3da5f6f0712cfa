#include "record/history/node_follower.h"

#include "ir/subgraphs.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Operations come before inputs: they say more about the origin of a value.
std::vector<NodeId> survivingInputs(const Node& node, const Graph& graph) {
    std::vector<NodeId> found;
    for (const Node* input : node.inputs())
        if (graph.findById(input->id())) found.push_back(input->id());
    std::stable_partition(found.begin(), found.end(),
                          [&](NodeId id) { return graph.findById(id)->kind() == NodeKind::call; });
    return found;
}

/// For a node that is no longer in a graph: the operation that it differentiates, otherwise its inputs.
std::vector<NodeId> computedFrom(const Graph& from, NodeId node, const Graph& to) {
    const Node* gone = from.findById(node);
    if (!gone) return {};
    const NodeId differentiates = gone->autograd.forward;
    if (differentiates != kNoNode && to.findById(differentiates)) return {differentiates};
    return survivingInputs(*gone, to);
}

/// Whether passes that keep ids have removed, and not merged, a node: this is known without a map.
bool isRemoved(const CompileRecord& record, const Graph& from, GraphKind fromKind, NodeId node, const Graph& to,
               GraphKind toKind) {
    const Node* gone = from.findById(node);
    return gone && gone->kind() != NodeKind::output && LevelMap::keepsIds(record, from, fromKind, to, toKind) &&
           std::ranges::all_of(record.passes, [](const PassRecord& pass) { return pass.merged.empty(); });
}

/// The usual case, without the cost of a map of a large graph. Outputs are paired regardless of ids.
bool keepsNode(const CompileRecord& record, const Graph& from, GraphKind fromKind, NodeId node, const Graph& to,
               GraphKind toKind) {
    return from.findById(node) && to.findById(node) && LevelMap::keepsIds(record, from, fromKind, to, toKind);
}

}  // namespace

NodeFollower::NodeFollower(std::shared_ptr<const CompileRecord> record) : record_(std::move(record)) {}

const LevelMap& NodeFollower::mapOf(const std::shared_ptr<const Graph>& from, GraphKind fromKind,
                                    const std::shared_ptr<const Graph>& to, GraphKind toKind) {
    constexpr std::size_t most = 24;
    const Pair graphs{from, to};
    const auto known = maps_.find(graphs);
    if (known != maps_.end()) return known->second;
    if (maps_.size() >= most) maps_.clear();
    return maps_.try_emplace(graphs, *record_, *from, fromKind, *to, toKind).first->second;
}

Followed NodeFollower::follow(const std::shared_ptr<const Graph>& from, GraphKind fromKind, NodeId node,
                              const std::shared_ptr<const Graph>& to, GraphKind toKind) {
    using How = Followed::How;
    if (node == kNoNode || !from || !to) return {};
    if (isInner(node)) return followInner(from, fromKind, node, to, toKind);
    if (keepsNode(*record_, *from, fromKind, node, *to, toKind)) return {How::same, {node}};
    if (isRemoved(*record_, *from, fromKind, node, *to, toKind)) {
        auto related = computedFrom(*from, node, *to);
        return {related.empty() ? How::lost : How::related, std::move(related)};
    }
    const LevelMap& map = mapOf(from, fromKind, to, toKind);
    if (const NodeId twin = map.twinOf(node); twin != kNoNode) return {How::same, {twin}};
    if (const Replacement* replacement = map.replacementOf(node)) return {How::replaced, replacement->after};
    if (const NodeId kept = map.mergedInto(node); kept != kNoNode) return {How::merged, {kept}};
    auto related = map.keepsIds() ? computedFrom(*from, node, *to) : map.toB(node);
    return {related.empty() ? How::lost : How::related, std::move(related)};
}

/// The node with the same name in the same subgraph of the same operator, otherwise the operator.
Followed NodeFollower::followInner(const std::shared_ptr<const Graph>& from, GraphKind fromKind, NodeId node,
                                   const std::shared_ptr<const Graph>& to, GraphKind toKind) {
    const auto run = runAround(*from, node);
    if (!run) return {};
    Followed owner = follow(from, fromKind, run->ownerId, to, toKind);
    for (const SubgraphRun& other : subgraphRuns(*to)) {
        if (other.ownerId != owner.first() || other.number != run->number) continue;
        if (const Node* twin = other.graph->findByName(run->find(node)->name()))
            return {Followed::How::same, {other.idOf(*twin)}};
    }
    if (owner.how != Followed::How::lost) owner.how = Followed::How::related;
    return owner;
}

}  // namespace aotscope
