#pragma once

#include "canvas/layout/layout.h"
#include "canvas/layout/row_index.h"

namespace aotscope {

/// Finds what is at a place of a picture. Of large pictures it is made where the layout is, in the background.
struct PlaceIndex {
    explicit PlaceIndex(const GraphLayout& layout);
    RowIndex boxes, edges, frames;
};

}  // namespace aotscope
