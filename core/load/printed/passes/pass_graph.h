#pragma once

#include "load/printed/graph_rules.h"
#include "load/printed/log/log_index.h"
#include "record/compile_record.h"

namespace aotscope {

/// A printed graph on its own.
struct PassGraphRead {
    GraphKind kind = GraphKind::inference;
    std::shared_ptr<Graph> graph;
    std::vector<std::string> problems;  ///< errors in it, a sentence each
    bool underived = false;             ///< as in PrintedModule
};

/// Finishes a graph without other graphs of its compilation: sets the roles of its inputs and outputs, and splits it if
/// it has a backward. `kind`: from its heading or name.
PassGraphRead finishAlone(PrintedModule& module, PrintedKind kind, const GraphRules& rules);

}  // namespace aotscope
