#include "ir/diff.h"

#include "ir/printer.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

using Pairs = std::vector<std::pair<Node*, Node*>>;

Pairs matchById(const Graph& before, const Graph& after) {
    std::unordered_map<NodeId, Node*> byId;
    for (Node* node : after.nodes()) byId[node->id()] = node;
    Pairs pairs;
    for (Node* node : before.nodes())
        if (auto it = byId.find(node->id()); it != byId.end()) pairs.emplace_back(node, it->second);
    return pairs;
}

/// An in-place operation and its functional twin count as the same.
std::string structuralKey(const Node& node) {
    std::string op(shortOpName(node.op()));
    if (op.ends_with('_')) op.pop_back();
    return op + "|" + printType(node.type) + "|" + (node.source ? node.source->module : "") + "|" +
           std::to_string(static_cast<int>(node.stage));
}

/// The k-th call with a key is the twin of the k-th call with that key on the other side.
Pairs matchByOccurrence(const std::vector<Node*>& a, const std::vector<Node*>& b) {
    std::unordered_map<std::string, std::vector<Node*>> waiting;
    for (Node* node : b) waiting[structuralKey(*node)].push_back(node);
    std::unordered_map<std::string, std::size_t> taken;
    Pairs pairs;
    for (Node* node : a) {
        const auto key = structuralKey(*node);
        const auto it = waiting.find(key);
        if (it == waiting.end()) continue;
        if (auto& k = taken[key]; k < it->second.size()) pairs.emplace_back(node, it->second[k++]);
    }
    return pairs;
}

std::vector<Node*> ofKind(const Graph& graph, NodeKind kind) {
    std::vector<Node*> found;
    for (Node* node : graph.nodes())
        if (node->kind() == kind) found.push_back(node);
    return found;
}

Pairs matchByStructure(const Graph& before, const Graph& after) {
    Pairs pairs;
    const auto p = ofKind(before, NodeKind::placeholder), q = ofKind(after, NodeKind::placeholder);
    for (std::size_t i = 0; i < std::min(p.size(), q.size()); ++i) pairs.emplace_back(p[i], q[i]);
    for (const auto& pair : matchByOccurrence(ofKind(before, NodeKind::call), ofKind(after, NodeKind::call)))
        pairs.push_back(pair);
    for (Node* constant : ofKind(before, NodeKind::constant))
        if (Node* same = after.findByName(constant->name())) pairs.emplace_back(constant, same);
    const auto o = ofKind(before, NodeKind::output), r = ofKind(after, NodeKind::output);
    if (!o.empty() && !r.empty()) pairs.emplace_back(o[0], r[0]);
    return pairs;
}

std::string describeChange(const Node& a, const Node& b, const std::unordered_map<const Node*, Node*>& twin) {
    std::string text;
    auto add = [&](std::string_view what, const std::string& from, const std::string& to) {
        if (from == to) return;
        if (!text.empty()) text += "; ";
        text += std::string(what) + " " + from + " -> " + to;
    };
    add("op", a.op(), b.op());
    add("type", printType(a.type), printType(b.type));
    auto translate = [&](Node* n) {
        auto it = twin.find(n);
        return Argument(it == twin.end() ? n : it->second);
    };
    bool same = a.args().size() == b.args().size() && a.kwargs().size() == b.kwargs().size();
    for (std::size_t i = 0; same && i < a.args().size(); ++i) same = mapNodes(a.args()[i], translate) == b.args()[i];
    for (std::size_t i = 0; same && i < a.kwargs().size(); ++i)
        same = a.kwargs()[i].first == b.kwargs()[i].first &&
               mapNodes(a.kwargs()[i].second, translate) == b.kwargs()[i].second;
    if (!same) add("arguments", "(" + printArguments(a) + ")", "(" + printArguments(b) + ")");
    return text;
}

}  // namespace

GraphDiff diffGraphs(const Graph& before, const Graph& after, MatchBy matchBy) {
    const Pairs pairs = matchBy == MatchBy::id ? matchById(before, after) : matchByStructure(before, after);
    std::unordered_map<const Node*, Node*> twin, origin;
    GraphDiff diff;
    for (auto [a, b] : pairs) {
        twin[a] = b;
        origin[b] = a;
    }
    for (const Node* node : before.nodes()) {
        auto it = twin.find(node);
        if (it == twin.end()) {
            diff.changes.push_back({NodeChange::Kind::removed, node->id(), kNoNode, {}});
            continue;
        }
        diff.matched.emplace_back(node->id(), it->second->id());
        if (auto what = describeChange(*node, *it->second, twin); !what.empty())
            diff.changes.push_back({NodeChange::Kind::changed, node->id(), it->second->id(), std::move(what)});
    }
    for (const Node* node : after.nodes())
        if (!origin.contains(node)) diff.changes.push_back({NodeChange::Kind::added, kNoNode, node->id(), {}});
    return diff;
}

}  // namespace aotscope
