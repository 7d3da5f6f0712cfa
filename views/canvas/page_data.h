#pragma once

#include "canvas/drawn_graph.h"
#include "record/graph_difference.h"

#include <QByteArray>

namespace aotscope {

/// What the HTML page knows of every node, as JSON without '<' and '&', which mean something around it:
/// {"graph", "nodes": [{"id", "name", "op", "type", "args", "label", "module", "source", "stage", "inputs", "users",
/// "box": the place of the box that it is drawn in}], "modules": closed ones, [{"box", "name", "title", "module",
/// "stage", "fate"}]}.
QByteArray pageData(const DrawnGraph& graph, const Graph& source);
/// The same of a picture of a difference: nodes of the later graph, and those that are gone with ids as they are drawn.
QByteArray pageData(const DrawnGraph& graph, const GraphDifference& difference);

}  // namespace aotscope
