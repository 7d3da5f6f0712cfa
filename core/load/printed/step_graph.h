#pragma once

#include "ir/graph.h"

namespace aotscope {

/// The module for the operations of an optimizer.
inline constexpr const char* kOptimizer = "optimizer";

/// Finds the stages of a whole training step: a graph with forward, loss, backward and perhaps an optimizer that was
/// never partitioned. The parser has set annotated stages; without annotations, the backward begins at the gradient of
/// the loss. Sets stages, links backward operations to those that they differentiate, and puts the optimizer into its
/// own module. False if there is no sign of a backward.
bool tellStepApart(Graph& graph);

}  // namespace aotscope
