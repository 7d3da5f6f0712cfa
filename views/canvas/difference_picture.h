#pragma once

#include "canvas/drawn_graph.h"
#include "models/words/difference_words.h"
#include "record/graph_difference.h"

namespace aotscope {

/// The id of removed nodes, which are drawn, too: their own ids could belong to other nodes.
NodeId ghostId(NodeId before);
bool isGhost(NodeId id);
NodeId originalId(NodeId id);

/// The first box of a picture that differs, in program order; -1: none.
int firstChange(const DrawnGraph& picture);
bool differs(const DrawnNode& box);

/// The later graph of a difference, with removed nodes among the others, all coloured by their change.
DrawnGraph drawDifference(const CompileRecord& record, const GraphDifference& difference);
/// Likewise for graphs of two runs.
DrawnGraph drawDifference(const CompileRecord& before, const CompileRecord& after, const GraphDifference& difference);

}  // namespace aotscope
