#pragma once

#include "canvas/layout/layout.h"
#include "canvas/layout/row_index.h"

namespace aotscope {

/// Finds what is at a place of a picture. For large pictures it is built with the layout, in the background.
struct PlaceIndex {
    explicit PlaceIndex(const GraphLayout& layout);
    RowIndex boxes, edges, frames;
};

}  // namespace aotscope
