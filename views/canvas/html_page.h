#pragma once

#include "canvas/paint.h"
#include "record/graph_difference.h"

#include <QByteArray>

namespace aotscope {

/// The picture as one self-contained HTML page, without network or other files: pan, zoom, search, tooltips, the facts
/// of every node of `source`, a legend, light or dark as the browser prefers. It is also well-formed XML.
QByteArray writeHtmlPage(const DrawnGraph& graph, const GraphLayout& layout, const Graph& source,
                         const PaintOptions& options, const QString& title);
/// Likewise for a picture of a difference.
QByteArray writeHtmlPage(const DrawnGraph& graph, const GraphLayout& layout, const GraphDifference& difference,
                         const PaintOptions& options, const QString& title);

}  // namespace aotscope
