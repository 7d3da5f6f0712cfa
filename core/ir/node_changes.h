#pragma once

#include "ir/aspect.h"
#include "ir/diff.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

namespace aotscope {

/// How a node differs from its counterpart.
struct NodeChange {
    std::string what;  ///< "op aten.add_.Tensor -> aten.add.Tensor; type f32[2] -> f32[3]"; empty if they are equal
    AspectSet aspects;
};

/// What to compare.
struct Compared {
    AspectSet ignored;
    /// Both graphs have complete information. Otherwise, what the text of a graph may lack is not compared: exact
    /// strides, shared memory, roles, tags.
    bool exact = true;
    bool unknownTypes = true;  ///< whether a type known on only one side is a difference

    bool counts(AspectSet aspects) const { return !aspects.without(ignored).empty(); }
};

/// What passes within one run routinely change or never touch: ignored between their graphs.
inline constexpr AspectSet kBetweenRunsOnly = {Aspect::names, Aspect::sources, Aspect::aliasing, Aspect::metadata};

/// The aspects in which two types differ.
AspectSet differingAspects(const TensorType& before, const TensorType& after, bool exact);
AspectSet differingAspects(const ValueType& before, const ValueType& after, bool exact);

/// Compares nodes of two graphs, including their subgraphs.
class NodeComparer {
public:
    /// The graphs must outlive this; null: aliasing is not compared.
    NodeComparer(const Graph* before, const Graph* after, Corresponds corresponds, Compared compared);

    NodeChange compare(const Node& before, const Node& after) const;

private:
    /// A tensor of a node: the index in a tuple, 0 otherwise.
    using Place = std::pair<const Node*, std::size_t>;
    using Owners = std::unordered_map<std::int64_t, Place>;
    using SubgraphChanges = std::map<std::pair<const Graph*, const Graph*>, NodeChange>;

    class Finding;
    static Owners ownersIn(const Graph* graph);
    void compareArguments(const Node& before, const Node& after, bool resized, Finding& finding) const;
    void compareAliasing(const Node& before, const Node& after, Finding& finding) const;
    void compareSlots(const Node& before, const Node& after, Finding& finding) const;
    void compareSubgraphs(const Node& before, const Node& after, Finding& finding) const;
    const NodeChange& subgraphChange(const Graph& before, const Graph& after) const;
    NodeChange changeWithin(const Graph& before, const Graph& after) const;

    const Graph *before_, *after_;
    Corresponds corresponds_;
    Compared compared_;
    Owners ownersBefore_, ownersAfter_;
    std::shared_ptr<SubgraphChanges> subgraphs_ = std::make_shared<SubgraphChanges>();  ///< many nodes may share them
};

}  // namespace aotscope
