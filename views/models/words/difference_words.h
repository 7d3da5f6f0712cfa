#pragma once

#include "models/tint.h"
#include "record/graph_difference.h"

namespace aotscope {

/// Fill for what became of a node; the same in pictures, texts and strips.
Tint tintOf(DifferenceKind kind);
/// What a person reads: "added".
QString meaningOf(DifferenceKind kind);
/// With what it says of the node: "replaced: conv2d -> convolution"; empty if it is the same.
QString describe(const DifferenceRow& row);

}  // namespace aotscope
