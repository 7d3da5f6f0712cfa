#pragma once

#include "canvas/layout/layout.h"
#include "canvas/visible.h"

#include <functional>

namespace aotscope {

/// The room on a canvas, in pixels at 100 %.
struct Room {
    QSizeF whole;         ///< a picture seen as a whole
    double width = 0;     ///< of a scrolled picture, beside the scroll bar
    double furthest = 1;  ///< how many times as much there is room for if text may just be legible
    bool operator==(const Room&) const = default;
};

/// A graph as shown, and where everything is.
struct OpenedGraph {
    ViewState state;
    std::shared_ptr<const DrawnGraph> seen;
    GraphLayout layout;
};

/// Opens modules to the deepest level whose picture fits as a whole; to the first level if none does. Runs are closed
/// if both halves are not seen otherwise. A closed module that contains most of the model is opened anyway, to be
/// scrolled through, unless the picture becomes too wide, or the halves get out of sight.
OpenedGraph openToFit(const std::shared_ptr<const DrawnGraph>& whole, const Room& room,
                      const std::function<GraphLayout(const DrawnGraph&)>& layOut);

}  // namespace aotscope
