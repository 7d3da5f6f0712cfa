#pragma once

#include "canvas/paint.h"

#include <QByteArray>

namespace aotscope {

/// The picture in `format`: "svg", "png" or "pdf". Throws Error if it is too large for a PNG.
QByteArray renderPicture(const DrawnGraph& graph, const GraphLayout& layout, const QString& format,
                         const PaintOptions& options, const QString& title);

/// The picture with a title and a legend above it, and their height.
QRectF pageOf(const DrawnGraph& graph, const GraphLayout& layout, const PaintOptions& options);
void paintPage(QPainter& painter, const DrawnGraph& graph, const GraphLayout& layout, const PaintOptions& options,
               const QString& title, const QRectF& page);

}  // namespace aotscope
