#pragma once

#include "record/compile_record.h"

namespace aotscope {

/// A graph of a run, and the pass that left it.
struct PassGraph {
    std::size_t pass = 0;  ///< index in the record
    GraphKind kind = GraphKind::joint;
    std::shared_ptr<const Graph> graph;
};

/// All graphs of a run in the order in which they came to be; what a pass left as it was is there once. Printed
/// graphs that no pass has made come last.
std::vector<PassGraph> graphsOf(const CompileRecord& record);

}  // namespace aotscope
