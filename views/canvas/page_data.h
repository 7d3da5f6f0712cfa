#pragma once

#include "canvas/drawn_graph.h"
#include "record/graph_difference.h"

#include <QByteArray>

namespace aotscope {

/// The facts of every node for the HTML page, as JSON without '<' and '&', which are special there: {"graph", "nodes":
/// [{"id", "name", "op", "type", "args", "label", "module", "source", "stage", "inputs", "users", "box": the index of
/// its box}], "modules": closed ones, [{"box", "name", "title", "module", "stage", "fate"}]}.
QByteArray pageData(const DrawnGraph& graph, const Graph& source);
/// Likewise for a picture of a difference: nodes of the later graph, and removed ones with ids as drawn.
QByteArray pageData(const DrawnGraph& graph, const GraphDifference& difference);

}  // namespace aotscope
