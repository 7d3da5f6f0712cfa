#pragma once

#include "canvas/layout/layout.h"

namespace aotscope {

/// Gives the labels of stubs their places: beside the arrow, as long as there is room for between the boxes and the
/// labels that are there already. Stubs that begin or end at the same place share a label; a label without room is left
/// out, and the tooltip of the arrow says it.
void labelStubs(const DrawnGraph& graph, GraphLayout& layout);

}  // namespace aotscope
