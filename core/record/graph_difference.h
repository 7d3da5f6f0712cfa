#pragma once

#include "ir/node_changes.h"
#include "record/compile_record.h"

#include <string>
#include <vector>

namespace aotscope {

/// The change of one node between two graphs.
enum class DifferenceKind : std::uint8_t { same, added, removed, replaced, changed, moved, renamed };
std::string_view name(DifferenceKind kind);

/// A node on either side, or on both. In the order of a side-by-side text. If several operations replace one, a single
/// row has both sides.
struct DifferenceRow {
    DifferenceKind kind = DifferenceKind::same;
    NodeId before = kNoNode, after = kNoNode;
    std::string what;  ///< "op aten.add_.Tensor -> aten.add.Tensor", "conv2d -> convolution", "merged into %mul_3"
    AspectSet aspects = {};
};

/// Two graphs, node by node.
struct GraphDifference {
    std::shared_ptr<const Graph> before, after;
    GraphKind kindBefore = GraphKind::joint, kindAfter = GraphKind::joint;
    std::vector<DifferenceRow> rows;
    std::size_t added = 0, removed = 0, replaced = 0, changed = 0, moved = 0, renamed = 0;

    bool empty() const { return added + removed + replaced + changed + moved + renamed == 0; }
};

/// Two graphs of one run. Nodes are paired by LevelMap; aspects that only matter between runs are ignored.
GraphDifference compareGraphs(const CompileRecord& record, std::shared_ptr<const Graph> before, GraphKind kindBefore,
                              std::shared_ptr<const Graph> after, GraphKind kindAfter, AspectSet ignored = {});

/// Graphs of the same kind in different runs: nodes are paired by what they compute.
GraphDifference compareGraphsOfRuns(std::shared_ptr<const Graph> before, std::shared_ptr<const Graph> after,
                                    GraphKind kind, const Compared& compared);

/// The same for the final graphs of two runs. In joint graphs, a value also counts as changed if only one of the runs
/// saves or recomputes it. Throws Error if a run has no such graph.
GraphDifference compareRuns(const CompileRecord& before, const CompileRecord& after, GraphKind kind,
                            const Compared& compared = {});

/// One line: "3 added, 1 removed, 2 changed".
std::string summaryOf(const GraphDifference& difference);

}  // namespace aotscope
