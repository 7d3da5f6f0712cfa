#pragma once

#include "canvas/drawn_graph.h"
#include "models/node_values.h"

namespace aotscope {

/// Fills the boxes of a picture by values of their nodes, and writes the legend: numbers as steps of one hue, from
/// light to dark, words as hues. Boxes without a value are grey.
void tint(DrawnGraph& drawn, const NodeValues& values);
/// Restores the colours of the theme.
void clearTints(DrawnGraph& drawn);

}  // namespace aotscope
