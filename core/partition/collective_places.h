#pragma once

#include "ir/graph.h"

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// Whether `node` only looks into the memory of its first input, and so can go wherever that one goes.
bool isViewLike(const Node& node);

/// Whether ranks of the graph send messages to each other: then their programs differ, and nothing is moved.
bool exchangesMessages(const Graph& graph);

/// Where collectives of a graph may go. Places are indices into its nodes; to go to a place is to go before that node.
class CollectivePlaces {
public:
    explicit CollectivePlaces(std::vector<Node*> nodes);

    const std::vector<Node*>& nodes() const { return nodes_; }
    std::size_t of(const Node* node) const { return places_.at(node); }
    /// The first place at which all operands are there, apart from views.
    std::size_t ready(const Node& collective) const;
    /// The last place at which the collective can be waited for: before the first node that needs a result, apart from
    /// views.
    std::size_t use(const Node& collective) const;
    /// The wait and views of what it gives, as far as they come before `place`, in order.
    std::vector<Node*> waitAndViews(const Node& wait, std::size_t place) const;

private:
    std::vector<Node*> nodes_;
    std::unordered_map<const Node*, std::size_t> places_;
    std::size_t first_ = 0;                 ///< behind the inputs
    std::vector<std::size_t> writes_ = {};  ///< places of operations that overwrite something: nothing passes them
};

/// A new order of the nodes of a graph: the old one, but for some that go elsewhere.
class Reordering {
public:
    explicit Reordering(const CollectivePlaces& places) : places_(places) {}

    /// `node` goes to `place`, behind those that were put there before; it may be new. Views that its inputs are made
    /// of go along.
    void put(std::size_t place, Node* node);
    /// `node` is not among them.
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
