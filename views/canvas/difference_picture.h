#pragma once

#include "canvas/drawn_graph.h"
#include "models/words/difference_words.h"
#include "record/graph_difference.h"

namespace aotscope {

/// Nodes that are gone are drawn, too. Their ids could be those of others: they get this one instead.
NodeId ghostId(NodeId before);
bool isGhost(NodeId id);
NodeId originalId(NodeId id);

/// The first box of a picture that differs, in the order of the program; -1: there is none.
int firstChange(const DrawnGraph& picture);
bool differs(const DrawnNode& box);

/// The later graph of a difference, what is gone from it among what stayed, and everything coloured by its change.
DrawnGraph drawDifference(const CompileRecord& record, const GraphDifference& difference);
/// The same for graphs of two runs.
DrawnGraph drawDifference(const CompileRecord& before, const CompileRecord& after, const GraphDifference& difference);

}  // namespace aotscope
