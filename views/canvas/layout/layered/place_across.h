#pragma once

#include "canvas/layout/layered/layers.h"

namespace aotscope {

/// The x of the middle of every vertex, from 0 at the left border. Vertices of a row keep their order and their
/// distance; within that, each comes as near to its neighbours in other rows as a fixed number of sweeps finds, least
/// squares for a row at a time. Then the longest path, the bends of an edge and other chains become upright where there
/// is room. (Brandes and Köpf's method, which makes chains upright first, needs a picture as wide as it is high for
/// layers that each have a side branch.)
std::vector<double> placeAcross(const Layers& layers);

/// Between two neighbours in a row.
double gapBetween(const Layers::Vertex& left, const Layers::Vertex& right);

}  // namespace aotscope
