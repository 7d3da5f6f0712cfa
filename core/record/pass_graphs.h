#pragma once

#include "record/compile_record.h"

namespace aotscope {

/// A graph of a run, and the pass that produced it.
struct PassGraph {
    std::size_t pass = 0;  ///< index in the record
    GraphKind kind = GraphKind::joint;
    std::shared_ptr<const Graph> graph;
};

/// All graphs of a run in order of creation; a graph that a pass left unchanged appears only once. Printed graphs
/// without a pass come last.
std::vector<PassGraph> graphsOf(const CompileRecord& record);

/// The index in `graphs` of the graph that the one at `at` derives from: the last earlier one of its kind, or else of
/// any kind; 0 for the first pass.
std::size_t graphBefore(const std::vector<PassGraph>& graphs, std::size_t at);

/// The graph that is shown for a pass: of `kind` if the pass has one, otherwise its first. Among equal graphs that
/// passes left unchanged, the one in graphsOf. Its `pass` is the one that changed it last.
std::optional<PassGraph> graphAfter(const CompileRecord& record, std::size_t pass, GraphKind kind);

}  // namespace aotscope
