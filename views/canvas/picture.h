#pragma once

#include "canvas/paint.h"

#include <QByteArray>

namespace aotscope {

/// The picture in `format`: "svg", "png" or "pdf". Throws Error when it is too large for a PNG.
QByteArray renderPicture(const DrawnGraph& graph, const GraphLayout& layout, const QString& format,
                         const PaintOptions& options, const QString& title);

}  // namespace aotscope
