#include "record/level_map.h"

#include "record/source_key.h"

#include <algorithm>
#include <map>

namespace aotscope {

namespace {

constexpr std::size_t kNoPass = static_cast<std::size_t>(-1);

/// The pass that produced a graph; kNoPass for graphs derived from those of the run.
std::size_t passOf(const CompileRecord& record, const Graph& graph) {
    for (std::size_t i = 0; i < record.passes.size(); ++i)
        for (const auto& [kind, own] : record.passes[i].graphs)
            if (own.get() == &graph) return i;
    return kNoPass;
}

bool isAfterTracing(GraphKind kind) {
    return kind == GraphKind::joint || kind == GraphKind::forward || kind == GraphKind::backward;
}

/// The pass that applies decompositions.
std::size_t decomposingPass(const CompileRecord& record) {
    for (const PassId id : {PassId::decompose, PassId::inference, PassId::joint})
        for (std::size_t i = 0; i < record.passes.size(); ++i)
            if (record.passes[i].id == id) return i;
    return kNoPass;
}

/// A graph and its position in the run.
struct Place {
    Place(const CompileRecord& record, const Graph& graph, GraphKind kindOfGraph)
        : pass(passOf(record, graph)), kind(kindOfGraph) {
        const std::size_t decomposes = decomposingPass(record);
        const bool after = pass == kNoPass || decomposes == kNoPass ? kind >= GraphKind::joint : pass >= decomposes;
        decomposed = after && !record.rewrites.empty();
    }
    bool isBefore(const Place& other) const {
        return pass == kNoPass || other.pass == kNoPass ? kind < other.kind : pass < other.pass;
    }

    std::size_t pass;
    GraphKind kind;
    bool decomposed = false;
};

bool keepIdsBetween(const CompileRecord& record, const Place& a, const Place& b) {
    if (a.pass == kNoPass || b.pass == kNoPass)
        return a.kind == b.kind || (isAfterTracing(a.kind) && isAfterTracing(b.kind));
    for (std::size_t i = std::min(a.pass, b.pass) + 1; i <= std::max(a.pass, b.pass); ++i)
        if (record.passes[i].lineage != MatchBy::id) return false;
    return true;
}

using Nodes = std::unordered_set<const Node*>;

/// The synthetic bases among the inputs of a graph.
Nodes basesIn(const CompileRecord& record, const Graph& graph) {
    Nodes bases;
    if (!record.metadata || !record.graphMetadata) return bases;
    const auto& inputs = record.metadata->convention.inputs;
    for (std::size_t i = 0; i < std::min(inputs.size(), record.graphMetadata->inputs.size()); ++i)
        for (const Node* node : graph.placeholders())
            if (inputs[i].syntheticBase && node->label == record.graphMetadata->inputs[i].name) bases.insert(node);
    return bases;
}

/// Bases in only one of two graphs: the other graph has no corresponding input.
Nodes basesWithoutTwin(const CompileRecord& record, const Graph& a, const Graph& b) {
    Nodes inA = basesIn(record, a), inB = basesIn(record, b);
    if (inA.empty()) return inB;
    return inB.empty() ? inA : Nodes();
}

Replacements inverse(Replacements replacements) {
    for (Replacement& replacement : replacements) std::swap(replacement.before, replacement.after);
    return replacements;
}

}  // namespace

LevelMap::LevelMap(const CompileRecord& record, const Graph& a, GraphKind kindOfA, const Graph& b, GraphKind kindOfB) {
    const Place first(record, a, kindOfA), second(record, b, kindOfB);
    keepsIds_ = &a == &b || keepIdsBetween(record, first, second);
    if (keepsIds_) {
        pairs_ = matchById(a, b);
        noteMerged(record, b);
    } else {
        if (second.decomposed && !first.decomposed) replacements_ = replacedByRules(record.rewrites, a, b);
        if (first.decomposed && !second.decomposed) replacements_ = inverse(replacedByRules(record.rewrites, b, a));
        match(a, b, second.isBefore(first), basesWithoutTwin(record, a, b));
    }
    pairOutputs(a, b);
    linkMatches();
    if (keepsIds_) return;
    linkArguments(record, a, b);
    linkSources(a, b);
    linkBackward(b, true);
    linkBackward(a, false);
}

bool LevelMap::keepsIds(const CompileRecord& record, const Graph& a, GraphKind kindOfA, const Graph& b,
                        GraphKind kindOfB) {
    return &a == &b || keepIdsBetween(record, Place(record, a, kindOfA), Place(record, b, kindOfB));
}

LevelMap LevelMap::ofRuns(const Graph& a, const Graph& b) {
    LevelMap map;
    map.pairs_ = matchByContent(a, b);
    map.linkMatches();
    return map;
}

LevelMap LevelMap::through(const LoweredGraph& below) const {
    LevelMap map;
    const auto follow = [&](NodeId a, NodeId b) {
        if (const auto became = below.became.find(b); became != below.became.end())
            for (const NodeId node : became->second) map.link(a, node);
    };
    for (const auto& [a, b] : pairs_) follow(a, b);
    for (const auto& [a, nodes] : toB_)
        for (const NodeId b : nodes) follow(a, b);
    return map;
}

/// Uses known replacements by rules, pairs the other operations, and matches those without a partner by source
/// location. One operation of the earlier graph is replaced by several of the later one.
void LevelMap::match(const Graph& a, const Graph& b, bool backwards, std::unordered_set<const Node*> taken) {
    for (const Replacement& replacement : replacements_) {
        for (const NodeId id : replacement.before) taken.insert(a.findById(id));
        for (const NodeId id : replacement.after) taken.insert(b.findById(id));
    }
    pairs_ = matchByStructure(a, b, taken);
    Replacements others;
    if (backwards) {
        NodePairs turned;
        for (const auto& [left, right] : pairs_) turned.emplace_back(right, left);
        others = inverse(replacedInSource(b, a, turned, inverse(replacements_)));
    } else {
        others = replacedInSource(a, b, pairs_, replacements_);
    }
    replacements_.insert(replacements_.end(), others.begin(), others.end());
    takeElements(a, b, pairs_, replacements_);
}

/// A node that another one was merged with may itself have been merged.
void LevelMap::noteMerged(const CompileRecord& record, const Graph& b) {
    std::unordered_map<NodeId, NodeId> kept;
    for (const PassRecord& pass : record.passes) kept.insert(pass.merged.begin(), pass.merged.end());
    if (kept.empty()) return;
    std::unordered_set<NodeId> there;
    for (const Node* node : b.nodes()) there.insert(node->id());
    for (const auto& [gone, other] : kept) {
        NodeId node = other;
        for (std::size_t steps = 0; !there.contains(node) && kept.contains(node) && steps < kept.size(); ++steps)
            node = kept.at(node);
        if (there.contains(node)) merged_[gone] = node;
    }
}

/// Outputs of the graphs correspond, regardless of ids.
void LevelMap::pairOutputs(const Graph& a, const Graph& b) {
    const auto outputOf = [](const Graph& graph) -> const Node* {
        const Node* last = graph.size() == 0 ? nullptr : graph.at(graph.size() - 1);
        return last && last->kind() == NodeKind::output ? last : nullptr;
    };
    const Node *left = outputOf(a), *right = outputOf(b);
    if (!left || !right) return;
    const auto isOutput = [&](const auto& pair) { return pair.first == left->id() || pair.second == right->id(); };
    if (std::ranges::none_of(pairs_, isOutput)) pairs_.emplace_back(left->id(), right->id());
}

bool LevelMap::corresponds(NodeId a, NodeId b) const {
    if (twinOf(a) == b && b != kNoNode) return true;
    const auto left = replacedA_.find(a), right = replacedB_.find(b);
    return left != replacedA_.end() && right != replacedB_.end() && left->second == right->second;
}

NodeId LevelMap::twinOf(NodeId a) const { return twins_.at(a); }

NodeId LevelMap::mergedInto(NodeId a) const {
    const auto it = twins_.contains(a) ? merged_.end() : merged_.find(a);
    return it == merged_.end() ? kNoNode : it->second;
}

std::string LevelMap::changeOf(const Node& a, const Node& b) const {
    return describeChange(a, b, [this](const Node& x, const Node& y) { return corresponds(x.id(), y.id()); });
}

const Replacement* LevelMap::replacementOf(NodeId a) const {
    const auto it = replacedA_.find(a);
    return it == replacedA_.end() ? nullptr : &replacements_[it->second];
}

std::vector<NodeId> LevelMap::at(const Twins& twins, const Links& links, NodeId node) {
    std::vector<NodeId> nodes;
    if (const NodeId twin = twins.at(node); twin != kNoNode) nodes.push_back(twin);
    if (const auto it = links.find(node); it != links.end())
        nodes.insert(nodes.end(), it->second.begin(), it->second.end());
    return nodes;
}

bool LevelMap::isLinked(NodeId a, NodeId b) const {
    const bool left = twins_.contains(a) || toB_.contains(a), right = twinsOfB_.contains(b) || toA_.contains(b);
    return left && right;
}

void LevelMap::link(NodeId a, NodeId b) {
    if (twinOf(a) == b && b != kNoNode) return;
    const auto add = [](std::vector<NodeId>& list, NodeId node) {
        if (std::find(list.begin(), list.end(), node) == list.end()) list.push_back(node);
    };
    add(toB_[a], b);
    add(toA_[b], a);
}

void LevelMap::linkMatches() {
    twins_.reserve(pairs_.size());
    twinsOfB_.reserve(pairs_.size());
    for (const auto& [left, right] : pairs_) {
        twins_.set(left, right);
        twinsOfB_.set(right, left);
    }
    for (std::size_t i = 0; i < replacements_.size(); ++i) {
        for (const NodeId left : replacements_[i].before) {
            replacedA_[left] = i;
            for (const NodeId right : replacements_[i].after) link(left, right);
        }
        for (const NodeId right : replacements_[i].after) replacedB_[right] = i;
    }
}

/// Arguments that are not inputs of a graph correspond to the input that represents them: a synthetic base, or the
/// first of duplicates.
void LevelMap::linkArguments(const CompileRecord& record, const Graph& a, const Graph& b) {
    if (!record.metadata || !record.graphMetadata) return;
    const auto& inputs = record.graphMetadata->inputs;
    const auto inputsOf = [](const Graph& graph) {
        std::map<std::string_view, NodeId> nodes;
        for (const Node* node : graph.placeholders()) nodes.emplace(node->label, node->id());
        return nodes;
    };
    const auto left = inputsOf(a), right = inputsOf(b);
    const auto linkNames = [&](const std::string& nameInA, const std::string& nameInB) {
        const auto x = left.find(nameInA), y = right.find(nameInB);
        if (x != left.end() && y != right.end()) link(x->second, y->second);
    };
    const auto& arguments = record.metadata->convention.arguments;
    for (std::size_t i = 0; i < std::min(arguments.size(), record.metadata->inputs.size()); ++i) {
        if (arguments[i].input >= inputs.size()) continue;
        const std::string &argument = record.metadata->inputs[i].name, &input = inputs[arguments[i].input].name;
        if (argument == input) continue;
        linkNames(argument, input);
        linkNames(input, argument);
    }
}

/// Links nodes without counterpart to everything on the same source line.
void LevelMap::linkSources(const Graph& a, const Graph& b) {
    std::map<SourceKey, std::pair<std::vector<NodeId>, std::vector<NodeId>>> lines;
    for (const Node* node : a.nodes())
        if (const auto source = sourceOf(*node)) lines[*source].first.push_back(node->id());
    for (const Node* node : b.nodes())
        if (const auto source = sourceOf(*node)) lines[*source].second.push_back(node->id());
    NodePairs found;
    for (const auto& [source, line] : lines)
        for (const NodeId x : line.first)
            for (const NodeId y : line.second)
                if (!isLinked(x, y)) found.emplace_back(x, y);
    for (const auto& [x, y] : found) link(x, y);
}

/// Links backward operations like the forward operation that they differentiate.
void LevelMap::linkBackward(const Graph& graph, bool isB) {
    NodePairs found;
    for (const Node* node : graph.nodes()) {
        const NodeId forward = node->autograd.forward;
        if (node->stage != Stage::backward || forward == kNoNode) continue;
        for (const NodeId other : isB ? toA(forward) : toB(forward)) found.emplace_back(other, node->id());
    }
    for (const auto& [other, node] : found) isB ? link(other, node) : link(node, other);
}

}  // namespace aotscope
