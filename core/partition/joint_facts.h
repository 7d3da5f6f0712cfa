#pragma once

#include "ir/graph.h"
#include "record/partition.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// Facts about one node of a joint graph that hold for any partition.
struct JointNodeFacts {
    std::uint16_t tags = 0;  ///< OpTag
    bool call = false, primal = false, tangent = false, getitem = false, view = false, fusible = false;
    bool cat = false;                 ///< can be fused with any of its inputs
    bool freshCopy = false;           ///< of a constant
    bool staysInMemory = false;       ///< a parameter or buffer that is never overwritten
    bool random = false;              ///< would draw different numbers if it ran again
    bool repeatable = true;           ///< if random: can run again with its RNG state
    bool writes = false;              ///< has a side effect: a write or an assertion
    bool collective = false;          ///< exchanges tensors with other ranks
    bool copiesMutatedInput = false;  ///< copies an input that the runtime overwrites after the forward
    bool requiredForward = false;  ///< needed for the forward outputs; all placeholders but tangents; random operations
    bool requiredBackward = false;        ///< depends on a tangent, or is a gradient
    bool dependsOnTangent = false;        ///< or writes in the backward
    bool materialized = false;            ///< exists in memory anyway; otherwise it would be fused away
    bool materializedInBackward = false;  ///< some backward operation needs it in memory
    bool reduction = false;               ///< much smaller than what it is computed from
    bool usedFarApart = false;            ///< a late user of a value that is also used early
    bool aliased = false;                 ///< autograd uses its saved result through an alias
    int order = -1;                       ///< index among the nodes required for the forward
    std::int64_t bytes = 0;
    std::int64_t distance = 0;  ///< operations to the nearest backward use; 0 outside the forward
    std::int64_t cost = 0;      ///< of saving it: bytes, more if it is far from the backward or not in memory
};

/// What partitioners need to know about a joint graph, computed once. Nodes are numbered in graph order. Sources:
/// classify_nodes and solve_min_cut in torch/_functorch/partitioners.py.
class JointFacts {
public:
    explicit JointFacts(const Graph& joint);

    const Graph& joint() const { return joint_; }
    int size() const { return static_cast<int>(nodes_.size()); }
    Node* node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
    const JointNodeFacts& operator[](int i) const { return facts_[static_cast<std::size_t>(i)]; }
    /// -1 for an id that is not in the graph.
    int indexOf(NodeId id) const;
    int indexOf(const Node* node) const;
    std::span<const int> inputs(int i) const { return range(inputs_, i); }
    std::span<const int> users(int i) const { return range(users_, i); }
    /// The operation that computes a value: for an element, that of its tuple; for any other node, itself.
    int producer(int i) const {
        while ((*this)[i].getitem) i = inputs(i)[0];
        return i;
    }
    /// The nodes required for the forward, in graph order.
    const std::vector<int>& forward() const { return forward_; }
    bool backwardIsEmpty() const { return backwardIsEmpty_; }
    /// Whether `user`, in the backward, uses the result of `i` through the alias saved by autograd.
    bool usesAlias(int i, int user) const;
    /// The cost of saving that alias, which only the backward uses, and only directly.
    std::int64_t costOfAlias(int i) const;
    bool aliasIsMaterialized(int i) const;
    bool fusible(int a, int b) const { return (*this)[b].cat || ((*this)[a].fusible && (*this)[b].fusible); }

private:
    /// A list of node numbers for each node, concatenated.
    struct Lists {
        std::vector<int> first, all;
    };
    /// Whether `user`, in the backward, uses the result of `i` through what autograd saved.
    bool readsKept(int i, int user) const;
    static std::span<const int> range(const Lists& lists, int i) {
        const auto at = static_cast<std::size_t>(i);
        return {lists.all.data() + lists.first[at], lists.all.data() + lists.first[at + 1]};
    }
    JointNodeFacts& facts(int i) { return facts_[static_cast<std::size_t>(i)]; }
    void connect();
    void describe();
    void findForward();
    void findBackward();
    void measureDistances();
    bool findMaterialized(int i, std::vector<int>& seen) const;
    bool isReduction(int i) const;
    int firstUnfusible(int i, int limit, std::vector<int>& seen) const;
    void findUsesFarApart();

    const Graph& joint_;
    std::vector<Node*> nodes_;
    std::vector<int> byId_;
    std::unordered_map<const Node*, int> sameId_;  ///< nodes with the id of a later node
    std::vector<JointNodeFacts> facts_;
    Lists inputs_, users_;
    std::vector<int> forward_;
    bool backwardIsEmpty_ = true;
};

}  // namespace aotscope
