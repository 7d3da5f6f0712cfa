#pragma once

#include "models/tint.h"
#include "record/graph_difference.h"

namespace aotscope {

/// Fill for the change of a node; the same in pictures, texts and strips.
Tint tintOf(DifferenceKind kind);
/// The label of a change: "added".
QString meaningOf(DifferenceKind kind);
/// With the details: "replaced: conv2d -> convolution"; empty if it is the same.
QString describe(const DifferenceRow& row);

}  // namespace aotscope
