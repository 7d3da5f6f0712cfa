#pragma once

#include "ir/graph.h"

namespace aotscope {

/// True for a placeholder that is an input of the forward.
inline bool isPrimal(const Node& node) { return node.kind() == NodeKind::placeholder && node.role != Role::tangent; }

/// True if removing, repeating or merging the node would change the random numbers of the program.
bool drawsRandomNumbers(const Node& node);

/// True for an operation with a side effect, used or not: a write or an assertion.
bool hasEffect(const Node& node);

}  // namespace aotscope
