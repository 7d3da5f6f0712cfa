#pragma once

#include "canvas/paint.h"

#include <QPagedPaintDevice>

namespace aotscope {

/// Paints the picture, light, on the pages of a printer: as wide as a page, never enlarged, on as many pages as needed;
/// each page has its number. Returns how many.
int printPicture(QPagedPaintDevice& device, const DrawnGraph& graph, const GraphLayout& layout, PaintOptions options,
                 const QString& title);

}  // namespace aotscope
