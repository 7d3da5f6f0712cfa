#pragma once

#include "load/printed/graph_rules.h"
#include "load/printed/passes/pass_sequence.h"
#include "record/compile_record.h"

namespace aotscope {

/// The graph after a pass.
struct ReadPass {
    std::string title;  ///< unique within the sequence: "remove_detach"
    std::string place;  ///< its origin: "after_remove_detach_7.txt, line 3"
    GraphKind kind = GraphKind::inference;
    std::shared_ptr<const Graph> graph;  ///< the previous graph if its text is the same
};

struct ReadPasses {
    std::vector<ReadPass> passes;
    std::vector<std::string> problems;  ///< unreadable graphs, a sentence each
    std::vector<std::string> faults;    ///< errors in readable ones
    bool underived = false;             ///< as in PrintedModule, for one of the graphs
};

/// Reads all graphs of a sequence, on several threads. Nodes that passes keep have the same id everywhere. A graph
/// printed before a pass counts only if it differs from the result of the previous pass. Throws Error if no graph can
/// be read, or if they have too many nodes.
ReadPasses readPasses(const PassSequence& sequence, const GraphRules& rules, const Progress& progress);

}  // namespace aotscope
