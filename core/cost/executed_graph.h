#pragma once

#include "compile/fused/grouped_graph.h"
#include "record/graph_kind.h"
#include "record/options/compiler_choice.h"

#include <memory>
#include <vector>

namespace aotscope {

/// The steps in which a graph runs, as a graph: its own operations, or those that its compiler makes of them.
class ExecutedGraph {
public:
    /// Operation by operation.
    explicit ExecutedGraph(std::shared_ptr<const Graph> graph);
    /// As its compiler runs it, so far as that is known: groups of the fused compiler are one step each. `compilers`:
    /// of all graphs of its record.
    ExecutedGraph(std::shared_ptr<const Graph> graph, GraphKind kind, const std::vector<CompilerUse>& compilers);

    /// Null if there is none.
    const Graph* get() const { return calls_.graph ? calls_.graph.get() : source_.get(); }
    /// The group that a step computes, whose nodes are those of the source; null for a single operation.
    const FusionGroup* groupOf(const Node& step) const;

    /// Whether one of the compilers makes other steps of a graph than its operations.
    static bool groupsOperations(const std::vector<CompilerUse>& compilers);

private:
    std::shared_ptr<const Graph> source_;
    GroupedGraph grouped_;
    GraphOfGroups calls_;  ///< without a graph: the source runs operation by operation
};

}  // namespace aotscope
