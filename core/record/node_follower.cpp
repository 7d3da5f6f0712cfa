#include "record/node_follower.h"

#include <algorithm>

namespace aotscope {

namespace {

bool isAfterTracing(GraphKind kind) {
    return kind == GraphKind::joint || kind == GraphKind::forward || kind == GraphKind::backward;
}

/// Operations come before inputs: they say more about where a value is from.
std::vector<NodeId> survivingInputs(const Node& node, const Graph& graph) {
    std::vector<NodeId> found;
    for (const Node* input : node.inputs())
        if (graph.findById(input->id())) found.push_back(input->id());
    std::stable_partition(found.begin(), found.end(),
                          [&](NodeId id) { return graph.findById(id)->kind() == NodeKind::call; });
    return found;
}

}  // namespace

bool shareIds(const Graph& a, GraphKind kindOfA, const Graph& b, GraphKind kindOfB) {
    return &a == &b || (isAfterTracing(kindOfA) && isAfterTracing(kindOfB)) ||
           (kindOfA == GraphKind::inference && kindOfB == GraphKind::inference);
}

NodeFollower::NodeFollower(std::shared_ptr<const CompileRecord> record) : record_(std::move(record)) {
    for (const PassRecord& pass : record_->passes)
        for (const auto& [gone, kept] : pass.merged) merged_[gone] = kept;
}

NodeId NodeFollower::mergedInto(NodeId node, const Graph& graph) const {
    std::size_t steps = 0;
    for (auto it = merged_.find(node); it != merged_.end() && steps <= merged_.size();
         it = merged_.find(node), ++steps) {
        node = it->second;
        if (graph.findById(node)) return node;
    }
    return kNoNode;
}

const LevelMap& NodeFollower::mapOf(const Pair& graphs, GraphKind fromKind, GraphKind toKind) {
    constexpr std::size_t most = 8;
    const auto known = maps_.find(graphs);
    if (known != maps_.end()) return known->second;
    if (maps_.size() >= most) maps_.clear();
    return maps_.try_emplace(graphs, *record_, *graphs.first, fromKind, *graphs.second, toKind).first->second;
}

Followed NodeFollower::follow(const std::shared_ptr<const Graph>& from, GraphKind fromKind, NodeId node,
                              const std::shared_ptr<const Graph>& to, GraphKind toKind) {
    using How = Followed::How;
    if (node == kNoNode || !from || !to) return {};
    if (shareIds(*from, fromKind, *to, toKind)) {
        if (to->findById(node)) return {How::same, {node}};
        if (const NodeId kept = mergedInto(node, *to); kept != kNoNode) return {How::became, {kept}};
        const Node* gone = from->findById(node);
        if (!gone) return {};
        const NodeId differentiates = gone->autograd.forward;
        if (differentiates != kNoNode && to->findById(differentiates)) return {How::cameFrom, {differentiates}};
        auto inputs = survivingInputs(*gone, *to);
        return {inputs.empty() ? How::lost : How::cameFrom, std::move(inputs)};
    }
    auto nodes = mapOf({from, to}, fromKind, toKind).toB(node);
    const How how = nodes.empty()       ? How::lost
                    : nodes.size() == 1 ? How::same
                    : fromKind < toKind ? How::became
                                        : How::cameFrom;
    return {how, std::move(nodes)};
}

}  // namespace aotscope
