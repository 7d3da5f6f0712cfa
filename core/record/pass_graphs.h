#pragma once

#include "record/compile_record.h"

namespace aotscope {

/// A graph of a run, and the pass that left it.
struct PassGraph {
    std::size_t pass = 0;  ///< index in the record
    GraphKind kind = GraphKind::joint;
    std::shared_ptr<const Graph> graph;
};

/// All graphs of a run in the order in which they were made; a graph that a pass left unchanged appears once. Printed
/// graphs without a pass come last.
std::vector<PassGraph> graphsOf(const CompileRecord& record);

/// The place among `graphs` of the graph that the one at `at` was made from: the last of its kind that was there before
/// its pass, else the last of any kind; 0 if its pass was the first.
std::size_t graphBefore(const std::vector<PassGraph>& graphs, std::size_t at);

/// The graph that is shown for a pass: of `kind` if the pass has one, else its first. Of equal graphs that passes left
/// unchanged, the one that graphsOf has. Its `pass` is the one that changed it last.
std::optional<PassGraph> graphAfter(const CompileRecord& record, std::size_t pass, GraphKind kind);

}  // namespace aotscope
