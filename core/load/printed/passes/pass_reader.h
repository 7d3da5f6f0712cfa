#pragma once

#include "load/printed/passes/pass_sequence.h"
#include "record/compile_record.h"

namespace aotscope {

/// What a pass has left.
struct ReadPass {
    std::string title;  ///< unique within the sequence: "remove_detach"
    std::string place;  ///< where it was printed: "after_remove_detach_7.txt, line 3"
    GraphKind kind = GraphKind::inference;
    std::shared_ptr<const Graph> graph;  ///< that of the pass before, if its text is the same
};

struct ReadPasses {
    std::vector<ReadPass> passes;
    std::vector<std::string> problems;  ///< graphs that cannot be read, a sentence each
    std::vector<std::string> faults;    ///< what is wrong with those that can
};

/// Reads all graphs of a sequence, on several threads. Nodes that passes keep have the same id everywhere. A graph
/// printed before a pass counts only if it differs from what the pass before has left. Throws Error if no graph can be
/// read, or if they are too many nodes to be kept.
ReadPasses readPasses(const PassSequence& sequence, const Progress& progress);

}  // namespace aotscope
