#pragma once

#include "record/compile_record.h"

#include <string>
#include <vector>

namespace aotscope {

/// The change of one node between two graphs.
enum class DifferenceKind : std::uint8_t { same, added, removed, replaced, changed, moved };
std::string_view name(DifferenceKind kind);

/// A node on either side, or on both. In the order of a side-by-side text. Of an operation that is replaced by several,
/// one row has both sides and the others one.
struct DifferenceRow {
    DifferenceKind kind = DifferenceKind::same;
    NodeId before = kNoNode, after = kNoNode;
    std::string what;  ///< "op aten.add_.Tensor -> aten.add.Tensor", "conv2d -> convolution", "merged into %mul_3"
};

/// Two graphs, node by node.
struct GraphDifference {
    std::shared_ptr<const Graph> before, after;
    GraphKind kindBefore = GraphKind::joint, kindAfter = GraphKind::joint;
    std::vector<DifferenceRow> rows;
    std::size_t added = 0, removed = 0, replaced = 0, changed = 0, moved = 0;

    bool empty() const { return added + removed + replaced + changed + moved == 0; }
};

/// Nodes are paired as LevelMap has it.
GraphDifference compareGraphs(const CompileRecord& record, std::shared_ptr<const Graph> before, GraphKind kindBefore,
                              std::shared_ptr<const Graph> after, GraphKind kindAfter);

/// Compares graphs of one kind of two runs: nodes are paired by operation, type and module. In joint graphs, a value
/// also counts as changed if only one of the runs saves or recomputes it. Throws Error if a run has no such graph.
GraphDifference compareRuns(const CompileRecord& before, const CompileRecord& after, GraphKind kind);

/// One line: "3 added, 1 removed, 2 changed".
std::string summaryOf(const GraphDifference& difference);

}  // namespace aotscope
