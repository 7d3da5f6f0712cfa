#pragma once

#include "ir/graph.h"

namespace aotscope {

/// The module that the operations of an optimizer are put into.
inline constexpr const char* kOptimizer = "optimizer";

/// Tells the halves of a whole training step apart: a graph with forward, loss, backward and perhaps an optimizer that
/// no partitioner has seen. The parser has set the stages that are annotated; without annotations, the backward begins
/// where autograd makes the gradient of the loss. Sets stages, links operations of the backward to those that they
/// differentiate, and puts the optimizer into a module of its own. False: the graph has no sign of a backward.
bool tellStepApart(Graph& graph);

}  // namespace aotscope
