#pragma once

#include "record/compile_record.h"

#include <string>
#include <vector>

namespace aotscope {

/// The change of one node between two graphs.
enum class DifferenceKind : std::uint8_t { same, added, removed, changed, moved };
std::string_view name(DifferenceKind kind);

/// A node on either side, or on both. In the order of a side-by-side text.
struct DifferenceRow {
    DifferenceKind kind = DifferenceKind::same;
    NodeId before = kNoNode, after = kNoNode;
    std::string what;  ///< "op aten.add_.Tensor -> aten.add.Tensor", "merged into %mul_3", "from line 12 to 40"
};

/// Two graphs, node by node.
struct GraphDifference {
    std::shared_ptr<const Graph> before, after;
    GraphKind kindBefore = GraphKind::joint, kindAfter = GraphKind::joint;
    std::vector<DifferenceRow> rows;
    std::size_t added = 0, removed = 0, changed = 0, moved = 0;

    bool empty() const { return added + removed + changed + moved == 0; }
};

/// Nodes of one lineage are paired by id, others by operation, type and module; a removed node has the nodes that a
/// rewrite replaced it with.
GraphDifference compareGraphs(const CompileRecord& record, std::shared_ptr<const Graph> before, GraphKind kindBefore,
                              std::shared_ptr<const Graph> after, GraphKind kindAfter);

/// Compares graphs of one kind of two runs: nodes are paired by operation, type and module. In joint graphs, a value
/// also counts as changed if only one of the runs saves or recomputes it. Throws Error if a run has no such graph.
GraphDifference compareRuns(const CompileRecord& before, const CompileRecord& after, GraphKind kind);

/// One line: "3 added, 1 removed, 2 changed".
std::string summaryOf(const GraphDifference& difference);

}  // namespace aotscope
