#pragma once

#include "ir/graph.h"

namespace aotscope {

/// Whether a placeholder is an input of the forward.
inline bool isPrimal(const Node& node) { return node.kind() == NodeKind::placeholder && node.role != Role::tangent; }

/// Whether removing, repeating or merging the node would change the program's random numbers.
bool drawsRandomNumbers(const Node& node);

/// Whether an operation exchanges tensors with other ranks, in its functional form:
/// "_c10d_functional.all_reduce.default".
bool isCollective(const Node& node);

/// Whether PyTorch orders an operation by tokens (torch/_higher_order_ops/effects.py).
bool isEffectful(const Node& node);

/// Whether an operation has a side effect, even if its result is unused: a write, a check that raises an error, an
/// effect, or waiting for a collective, in which other ranks take part.
bool hasEffect(const Node& node);

}  // namespace aotscope
