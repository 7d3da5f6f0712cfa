#pragma once

#include "canvas/layout/layout.h"

namespace aotscope {

/// Moves boxes of the forward that read only what very many boxes read, and what depends on them alone, down to their
/// users: the parts of an input that the steps of an unrolled loop read. Their backward moves with them. Changes the
/// rows of the plan; the flow keeps its direction.
void lowerToUsers(const DrawnGraph& graph, LayoutPlan& plan);

}  // namespace aotscope
