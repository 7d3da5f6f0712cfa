#pragma once

#include "canvas/drawn_graph.h"

namespace aotscope {

/// The size of a box for its title and lines, in pixels at 100 %.
QSizeF boxSize(const DrawnNode& node);

}  // namespace aotscope
