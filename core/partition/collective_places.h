#pragma once

#include "ir/graph.h"

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// Whether `node` only views the memory of its first input, and so can move with it.
bool isViewLike(const Node& node);

/// Whether ranks of the graph send messages to each other: then their programs differ, and nothing is moved.
bool exchangesMessages(const Graph& graph);

/// Where collectives of a graph may move. Places are indices of its nodes; moving to one means before that node.
class CollectivePlaces {
public:
    explicit CollectivePlaces(std::vector<Node*> nodes);

    const std::vector<Node*>& nodes() const { return nodes_; }
    std::size_t of(const Node* node) const { return places_.at(node); }
    /// The first place where all operands are available, apart from views.
    std::size_t ready(const Node& collective) const;
    /// The last place where the collective can be waited for: before the first node that needs a result, apart from
    /// views.
    std::size_t use(const Node& collective) const;
    /// The wait and views of its result that come before `place`, in order.
    std::vector<Node*> waitAndViews(const Node& wait, std::size_t place) const;

private:
    std::vector<Node*> nodes_;
    std::unordered_map<const Node*, std::size_t> places_;
    std::size_t first_ = 0;                 ///< after the inputs
    std::vector<std::size_t> writes_ = {};  ///< places of mutations, which nothing may move across
};

/// A new order of a graph's nodes: the old one with some nodes moved.
class Reordering {
public:
    explicit Reordering(const CollectivePlaces& places) : places_(places) {}

    /// Moves `node`, which may be new, to `place`, after those moved there before. Views that its inputs consist of
    /// move along.
    void put(std::size_t place, Node* node);
    /// Removes `node`.
    void drop(const Node* node) { elsewhere_.insert(node); }
    std::vector<Node*> order();

private:
    void emit(Node* node);
    void emitViews(Node* input);

    const CollectivePlaces& places_;
    std::map<std::size_t, std::vector<Node*>> put_;
    std::set<const Node*> elsewhere_, done_;
    std::vector<Node*> order_;
};

}  // namespace aotscope
