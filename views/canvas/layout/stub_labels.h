#pragma once

#include "canvas/layout/layout.h"

namespace aotscope {

/// Places the labels of stubs: beside the arrow, as long as fits between boxes and other labels. Stubs that begin or
/// end at the same place share a label; a label that does not fit is omitted, and the tooltip of the arrow has it.
void labelStubs(const DrawnGraph& graph, GraphLayout& layout);

}  // namespace aotscope
