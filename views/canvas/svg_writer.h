#pragma once

#include "canvas/paint.h"

#include <QByteArray>

namespace aotscope {

/// The picture as SVG 1.1: text as text, every box with a title that browsers show as tooltip, a legend on top.
QByteArray writeSvg(const DrawnGraph& graph, const GraphLayout& layout, const PaintOptions& options,
                    const QString& title);

}  // namespace aotscope
