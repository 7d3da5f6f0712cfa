#include "record/level_map.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_set>

namespace aotscope {

namespace {

/// Kinds whose graphs share ids.
bool sameLineage(GraphKind a, GraphKind b) {
    const auto afterTracing = [](GraphKind kind) {
        return kind == GraphKind::joint || kind == GraphKind::forward || kind == GraphKind::backward;
    };
    return a == b || (afterTracing(a) && afterTracing(b));
}

/// An operation of the model's source, as far as it is known.
using SourceKey = std::tuple<std::string, std::string, std::int32_t, std::string>;

std::optional<SourceKey> sourceOf(const Node& node) {
    if (!node.source || node.kind() != NodeKind::call || node.stage == Stage::backward) return std::nullopt;
    return SourceKey{node.source->module, node.source->file, node.source->line, node.source->text};
}

}  // namespace

LevelMap::LevelMap(const CompileRecord& record, const Graph& a, GraphKind kindOfA, const Graph& b, GraphKind kindOfB) {
    if (sameLineage(kindOfA, kindOfB)) {
        std::unordered_set<NodeId> there;
        for (const Node* node : b.nodes()) there.insert(node->id());
        for (const Node* node : a.nodes())
            if (there.contains(node->id())) link(node->id(), node->id());
        return;
    }
    for (const auto& [before, after] : diffGraphs(a, b, MatchBy::structure).matched) link(before, after);
    const auto decomposed = [&](GraphKind kind) { return kind >= GraphKind::joint && !record.rewrites.empty(); };
    if (decomposed(kindOfB) && !decomposed(kindOfA)) linkRewrites(record, a, b, true);
    if (decomposed(kindOfA) && !decomposed(kindOfB)) linkRewrites(record, b, a, false);
    linkSources(a, b);
    linkBackward(b, true);
    linkBackward(a, false);
}

LevelMap LevelMap::ofRuns(const Graph& a, const Graph& b) {
    LevelMap map;
    for (const auto& [before, after] : diffGraphs(a, b, MatchBy::structure).matched) map.link(before, after);
    return map;
}

LevelMap LevelMap::through(const LoweredGraph& below) const {
    LevelMap map;
    for (const auto& [a, nodes] : toB_)
        for (const NodeId b : nodes)
            if (const auto became = below.became.find(b); became != below.became.end())
                for (const NodeId node : became->second) map.link(a, node);
    return map;
}

std::vector<NodeId> LevelMap::at(const Links& links, NodeId node) {
    const auto it = links.find(node);
    return it == links.end() ? std::vector<NodeId>() : it->second;
}

void LevelMap::link(NodeId a, NodeId b) {
    const auto add = [](std::vector<NodeId>& list, NodeId node) {
        if (std::find(list.begin(), list.end(), node) == list.end()) list.push_back(node);
    };
    add(toB_[a], b);
    add(toA_[b], a);
}

/// The n-th call of an operation is the n-th that was rewritten, source operation by source operation.
void LevelMap::linkRewrites(const CompileRecord& record, const Graph& plain, const Graph& rewritten, bool plainIsA) {
    std::map<std::pair<std::string, SourceKey>, std::vector<NodeId>> calls;
    for (const Node* node : plain.nodes())
        if (const auto source = sourceOf(*node)) calls[{node->op(), *source}].push_back(node->id());
    std::unordered_map<NodeId, const Node*> known;
    for (const Node* node : rewritten.nodes()) known[node->id()] = node;
    std::map<std::pair<std::string, SourceKey>, std::size_t> next;
    for (const Rewrite& rewrite : record.rewrites) {
        if (rewrite.parent >= 0) continue;
        std::vector<NodeId> became;
        std::optional<SourceKey> source;
        for (const NodeId id : rewrite.nodes)
            if (const auto node = known.find(id); node != known.end()) {
                became.push_back(id);
                if (!source) source = sourceOf(*node->second);
            }
        if (!source) continue;
        const auto call = calls.find({rewrite.op, *source});
        if (call == calls.end()) continue;
        const std::size_t index = next[call->first]++;
        if (index >= call->second.size()) continue;
        for (const NodeId id : became) plainIsA ? link(call->second[index], id) : link(id, call->second[index]);
    }
}

/// What has no partner yet belongs to all that comes from the same operation of the source.
void LevelMap::linkSources(const Graph& a, const Graph& b) {
    std::map<SourceKey, std::vector<NodeId>> ofA, ofB;
    for (const Node* node : a.nodes())
        if (const auto source = sourceOf(*node)) ofA[*source].push_back(node->id());
    for (const Node* node : b.nodes())
        if (const auto source = sourceOf(*node)) ofB[*source].push_back(node->id());
    std::vector<std::pair<NodeId, NodeId>> found;
    for (const auto& [source, nodes] : ofA) {
        const auto others = ofB.find(source);
        if (others == ofB.end()) continue;
        for (const NodeId x : nodes)
            for (const NodeId y : others->second)
                if (!toB_.contains(x) || !toA_.contains(y)) found.emplace_back(x, y);
    }
    for (const auto& [x, y] : found) link(x, y);
}

/// Operations of the backward follow the forward operation that they differentiate.
void LevelMap::linkBackward(const Graph& graph, bool isB) {
    std::vector<std::pair<NodeId, NodeId>> found;
    for (const Node* node : graph.nodes()) {
        const NodeId forward = node->autograd.forward;
        if (node->stage != Stage::backward || forward == kNoNode) continue;
        for (const NodeId other : isB ? toA(forward) : toB(forward)) found.emplace_back(other, node->id());
    }
    for (const auto& [other, node] : found) isB ? link(other, node) : link(node, other);
}

}  // namespace aotscope
