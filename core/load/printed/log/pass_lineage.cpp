#include "load/printed/log/pass_lineage.h"

#include "ir/diff.h"

#include <algorithm>
#include <memory_resource>
#include <string_view>
#include <unordered_map>

namespace aotscope {

namespace {

/// The largest id in a graph as read.
std::size_t largestId(const Graph& graph) {
    NodeId largest = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) largest = std::max(largest, graph.at(i)->id());
    return static_cast<std::size_t>(largest);
}

/// "view" in "view_12".
std::string_view nameStem(std::string_view name) {
    const auto end = name.find_last_not_of("0123456789");
    return end != std::string_view::npos && end > 0 && end + 1 < name.size() && name[end] == '_' ? name.substr(0, end)
                                                                                                 : name;
}

/// FX names nodes after their operation: "view" or, for nodes added by a pass, "view_default".
bool isNamedAfter(const Node& node) {
    const auto stem = nameStem(node.name()), op = shortOpName(node.op());
    if (!stem.starts_with(op)) return false;
    const auto overload = node.op().substr(packetOf(node.op()).size());  // ".default"
    return stem.size() == op.size() || (!overload.empty() && stem.substr(op.size()) == "_" + overload.substr(1));
}

/// Whether nodes with equal names are the same. Nodes are named after their operation: with a different one, it is
/// another node, unless a pass changed the operation in place, which keeps the name.
bool isKept(const Node& before, const Node& after) {
    if (before.kind() != after.kind()) return false;
    return after.kind() != NodeKind::call || before.op() == after.op() || !isNamedAfter(after);
}

/// The positions of nodes by name. Most nodes follow the same one as before, so names are looked up only after changes.
class Places {
public:
    explicit Places(const Graph& graph) : graph_(graph) {}

    /// Null if there is none with this name.
    const Node* find(const std::string& name) {
        if (next_ < graph_.size() && graph_.at(next_)->name() == name) return graph_.at(next_++);
        if (places_.empty()) {
            places_.reserve(graph_.size());
            for (std::size_t i = 0; i < graph_.size(); ++i) places_.emplace(graph_.at(i)->name(), i);
        }
        const auto it = places_.find(name);
        if (it == places_.end()) return nullptr;
        next_ = it->second + 1;
        return graph_.at(it->second);
    }

private:
    const Graph& graph_;
    std::size_t next_ = 0;
    std::pmr::monotonic_buffer_resource arena_;
    std::pmr::unordered_map<std::string_view, std::size_t> places_{&arena_};
};

Origins originsByName(const Graph& before, const Graph& after) {
    Places places(before);
    Origins origins(after.size(), nullptr);
    for (std::size_t i = 0; i < after.size(); ++i)
        if (const Node* same = places.find(after.at(i)->name()); same && isKept(*same, *after.at(i))) origins[i] = same;
    return origins;
}

Origins originsByStructure(const Graph& before, const Graph& after) {
    std::unordered_map<NodeId, const Node*> partners;
    for (const auto& [left, right] : matchByStructure(before, after)) partners[right] = before.findById(left);
    Origins origins(after.size(), nullptr);
    for (std::size_t i = 0; i < after.size(); ++i)
        if (const auto it = partners.find(after.at(i)->id()); it != partners.end()) origins[i] = it->second;
    return origins;
}

/// How many operations are new, or use other values than their partners. Ids are still positions here.
std::size_t changesIn(const Graph& after, const Origins& origins) {
    std::vector<const Node*> known(largestId(after) + 1, nullptr);
    for (std::size_t i = 0; i < after.size(); ++i) known[static_cast<std::size_t>(after.at(i)->id())] = origins[i];
    const auto isSame = [&](const Node* x, const Node* y) { return known[static_cast<std::size_t>(x->id())] == y; };
    std::size_t changes = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (after.at(i)->kind() != NodeKind::call) continue;
        const Node* origin = origins[i];
        changes += !origin || !std::ranges::equal(after.at(i)->inputs(), origin->inputs(), isSame);
    }
    return changes;
}

}  // namespace

Origins originsOf(const Graph& before, const Graph& after) {
    Origins origins = originsByName(before, after);
    // More than half of it: a retrace has assigned new names.
    if (const auto changes = changesIn(after, origins); changes * 2 > after.size()) {
        Origins others = originsByStructure(before, after);
        if (changesIn(after, others) < changes) origins = std::move(others);
    }
    return origins;
}

void continueLineage(const Origins& origins, Graph& after, NodeId& next) {
    std::vector<NodeId> ids(largestId(after) + 1, kNoNode);
    for (std::size_t i = 0; i < after.size(); ++i) {
        const NodeId id = origins[i] ? origins[i]->id() : next++;
        ids[static_cast<std::size_t>(after.at(i)->id())] = id;
        after.setIdentity(after.at(i), id);
    }
    for (std::size_t i = 0; i < after.size(); ++i)
        if (NodeId& forward = after.at(i)->autograd.forward; forward != kNoNode)
            forward = ids[static_cast<std::size_t>(forward)];
}

}  // namespace aotscope
