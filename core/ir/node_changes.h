#pragma once

#include "ir/aspect.h"
#include "ir/diff.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// How a node differs from its counterpart.
struct NodeChange {
    std::string what;  ///< "op aten.add_.Tensor -> aten.add.Tensor; type f32[2] -> f32[3]"; empty: they are equal
    AspectSet aspects;
};

/// What counts when nodes are compared.
struct Compared {
    AspectSet ignored;
    /// Both graphs hold the same facts about their values. Otherwise what a text of graphs may lack is not compared:
    /// exact strides, memory that values share, roles, tags.
    bool exact = true;
    bool unknownTypes = true;  ///< whether a type that only one side knows is a difference

    bool counts(AspectSet aspects) const { return !aspects.without(ignored).empty(); }
};

/// What passes of one run change as a matter of course, or do not touch: differences between them leave it out.
inline constexpr AspectSet kBetweenRunsOnly = {Aspect::names, Aspect::sources, Aspect::aliasing, Aspect::metadata};

/// What two types differ in.
AspectSet differingAspects(const TensorType& before, const TensorType& after, bool exact);
AspectSet differingAspects(const ValueType& before, const ValueType& after, bool exact);

/// Compares nodes of two graphs, with all that their subgraphs hold.
class NodeComparer {
public:
    /// The graphs must outlive this; null: aliasing is not compared.
    NodeComparer(const Graph* before, const Graph* after, Corresponds corresponds, Compared compared);

    NodeChange compare(const Node& before, const Node& after) const;

private:
    /// A tensor of a node: which of the elements of a tuple, 0 for others.
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
