#pragma once

#include "canvas/layout/layout.h"

namespace aotscope {

/// Where the camera stands when a picture that does not fit is shown first.
struct FirstView {
    double further = 1;  ///< how much more of the picture is in the window than at the given zoom
    QPointF centre;
    double seen = 0;   ///< grows with the boxes in sight, most where both halves are
    double share = 0;  ///< of the operations, those whose boxes are in sight
    /// The beginning of the model is in sight, and some boxes of each half.
    bool showsBoth = false;
};

/// Looks from as near as possible at a place from which both halves are seen: the beginning of the model, and as many
/// boxes as possible that are entirely in the window. If there is none, at most of the picture from near by. `window`
/// is in units of the picture; it may become at most `furthest` times as large.
FirstView firstView(const DrawnGraph& graph, const GraphLayout& layout, QSizeF window, double furthest);

}  // namespace aotscope
