#pragma once

#include "load/printed/log/log_index.h"
#include "load/printed/parser.h"
#include "record/compile_record.h"

namespace aotscope {

/// A printed graph on its own.
struct PassGraphRead {
    GraphKind kind = GraphKind::inference;
    std::shared_ptr<Graph> graph;
    std::vector<std::string> problems;  ///< what is wrong with it, a sentence each
};

/// Finishes a graph of which no other graph of its compilation is known: the roles of its inputs and outputs, and its
/// halves if it has any. `kind`: as its heading or name has it.
PassGraphRead finishAlone(PrintedModule& module, PrintedKind kind);

}  // namespace aotscope
