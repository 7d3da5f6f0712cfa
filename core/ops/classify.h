#pragma once

#include "ir/graph.h"

namespace aotscope {

/// True for a placeholder that is an input of the forward.
inline bool isPrimal(const Node& node) { return node.kind() == NodeKind::placeholder && node.role != Role::tangent; }

/// True if removing, repeating or merging the node would change the random numbers that the program draws.
bool drawsRandomNumbers(const Node& node);

/// True for an operation that is there for what it does, whether or not its result is used: a write or an assertion.
bool hasEffect(const Node& node);

}  // namespace aotscope
