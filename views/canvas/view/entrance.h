#pragma once

#include "canvas/layout/layout.h"

namespace aotscope {

/// The initial view of a picture that is wider than the window: the middle, in x, from which most boxes of its
/// beginning are entirely visible, including the first one; for an empty picture, its middle. `window` is in the units
/// of the picture.
double entranceOf(const GraphLayout& layout, QSizeF window);

}  // namespace aotscope
