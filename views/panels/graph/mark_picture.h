#pragma once

#include "models/palette.h"

#include <QPixmap>

namespace aotscope {

/// The coloured square before a cell, or of a legend.
QPixmap markPicture(const NodeColours& colours, int side, double scale);

}  // namespace aotscope
