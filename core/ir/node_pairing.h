#pragma once

#include "ir/diff.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

/// Pairs of nodes of two graphs under construction: shared by all ways of matching. A node has at most one partner.
class NodePairing {
protected:
    using Nodes = std::vector<const Node*>;

    /// Nodes in `taken` (of either graph) remain unpaired.
    NodePairing(const Graph& before, const Graph& after, std::unordered_set<const Node*> taken = {})
        : before_(nodesOf(before)), after_(nodesOf(after)), taken_(std::move(taken)) {}

    bool isFree(const Node* node) const { return !taken_.contains(node); }
    /// The partner in the graph after; null if there is none.
    const Node* twinOf(const Node* node) const {
        const auto it = twins_.find(node);
        return it == twins_.end() ? nullptr : it->second;
    }
    const std::unordered_map<const Node*, const Node*>& twins() const { return twins_; }

    /// Does nothing if either already has a partner.
    void pair(const Node* a, const Node* b) {
        if (!isFree(a) || !isFree(b)) return;
        twins_.emplace(a, b);
        taken_.insert(a);
        taken_.insert(b);
    }

    Nodes freeOf(const Nodes& nodes, NodeKind kind) const {
        Nodes found;
        std::ranges::copy_if(nodes, std::back_inserter(found),
                             [&](const Node* n) { return n->kind() == kind && isFree(n); });
        return found;
    }

    static bool always(const Node& /*a*/, const Node& /*b*/) { return true; }

    /// Pairs the k-th free node with a key with the k-th free one with that key in the other graph, if `alike`.
    template <typename KeyOf, typename Alike = bool (*)(const Node&, const Node&)>
    void pairByKey(const Nodes& nodes, const Nodes& others, KeyOf&& keyOf, Alike&& alike = always) {
        using Key = std::decay_t<decltype(keyOf(*nodes.front()))>;
        std::unordered_map<Key, std::pair<Nodes, std::size_t>> waiting;
        for (const Node* other : others)
            if (isFree(other)) waiting[keyOf(*other)].first.push_back(other);
        for (const Node* node : nodes) {
            if (!isFree(node)) continue;
            const auto it = waiting.find(keyOf(*node));
            if (it == waiting.end()) continue;
            auto& [same, next] = it->second;
            if (next < same.size() && alike(*node, *same[next])) pair(node, same[next++]);
        }
    }

    /// Pairs the inputs of the program, then those only of a backward: `pairSome` gets the free ones of both graphs.
    template <typename PairSome>
    void pairInputs(PairSome&& pairSome) {
        const auto ofBackward = [](const Node* node) {
            return node->role == Role::tangent || node->role == Role::saved || node->role == Role::savedSymint;
        };
        for (const bool backward : {false, true}) {
            Nodes inputs = freeOf(before_, NodeKind::placeholder), others = freeOf(after_, NodeKind::placeholder);
            for (Nodes* list : {&inputs, &others})
                std::erase_if(*list, [&](const Node* n) { return ofBackward(n) != backward; });
            pairSome(inputs, others);
        }
    }

    void pairOutputs() {
        pairByKey(freeOf(before_, NodeKind::output), freeOf(after_, NodeKind::output), [](const Node&) { return 0; });
    }

    /// The model's name for it.
    static const std::string& nameOfInput(const Node& placeholder) {
        return placeholder.label.empty() ? placeholder.name() : placeholder.label;
    }

    NodePairs pairs() const {
        NodePairs found;
        found.reserve(twins_.size());
        for (const Node* node : before_)
            if (const Node* twin = twinOf(node)) found.emplace_back(node->id(), twin->id());
        return found;
    }

    Nodes before_, after_;

private:
    static Nodes nodesOf(const Graph& graph) {
        const auto nodes = graph.nodes();
        return {nodes.begin(), nodes.end()};
    }

    std::unordered_map<const Node*, const Node*> twins_;
    std::unordered_set<const Node*> taken_;
};

}  // namespace aotscope
