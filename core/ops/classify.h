#pragma once

#include "ir/graph.h"

namespace aotscope {

/// True for a placeholder that is an input of the forward.
inline bool isPrimal(const Node& node) { return node.kind() == NodeKind::placeholder && node.role != Role::tangent; }

/// True if removing, repeating or merging the node would change the random numbers of the program.
bool drawsRandomNumbers(const Node& node);

/// True for an operation that exchanges tensors with other ranks, in the form in which functional graphs have it:
/// "_c10d_functional.all_reduce.default".
bool isCollective(const Node& node);

/// True for an operation that PyTorch keeps in order by tokens (torch/_higher_order_ops/effects.py).
bool isEffectful(const Node& node);

/// True for an operation with a side effect, used or not: a write, a check that raises an error, an effect, or waiting
/// for a collective, which other ranks take part in.
bool hasEffect(const Node& node);

}  // namespace aotscope
