#pragma once

#include "canvas/layout/layout.h"

namespace aotscope {

/// Where a picture is entered that is wider than the window: the middle, by x, from which most boxes of its beginning
/// are seen whole, the first one among them; that of an empty picture is its middle. `window` is in the units of the
/// picture.
double entranceOf(const GraphLayout& layout, QSizeF window);

}  // namespace aotscope
