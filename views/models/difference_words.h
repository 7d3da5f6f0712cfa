#pragma once

#include "models/tint.h"
#include "record/graph_difference.h"

namespace aotscope {

/// Fill for what became of a node; the same in pictures, texts and strips.
Tint tintOf(NodeFate fate);
/// What a person reads: "added".
QString meaningOf(NodeFate fate);

}  // namespace aotscope
