#pragma once

#include "canvas/layout/layered/layers.h"

namespace aotscope {

/// Orders the vertices of every row so that few edges cross: sweeps by the barycentre of the neighbours, down and up,
/// a fixed number of times, each followed by exchanges of neighbours. Vertices without edges keep their places.
void orderRows(Layers& layers);

/// Pairs of edges that cross.
std::size_t crossings(const Layers& layers);

}  // namespace aotscope
