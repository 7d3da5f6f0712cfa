#pragma once

#include "canvas/layout/layout.h"
#include "canvas/visible.h"

#include <functional>

namespace aotscope {

/// What there is room for on a canvas, in pixels at 100 %.
struct Room {
    QSizeF whole;      ///< a picture that is seen as a whole
    double width = 0;  ///< of a picture that is scrolled, beside the scroll bar
    bool operator==(const Room&) const = default;
};

/// A graph as it is seen, and where everything is.
struct OpenedGraph {
    ViewState state;
    std::shared_ptr<const DrawnGraph> seen;
    GraphLayout layout;
};

/// Opens modules to the deepest level whose picture can be seen as a whole; to the first level if none can. A closed
/// module that holds most of the model says nothing about it: it is opened all the same, to be scrolled through, unless
/// that makes the picture too wide.
OpenedGraph openToFit(const std::shared_ptr<const DrawnGraph>& whole, const Room& room,
                      const std::function<GraphLayout(const DrawnGraph&)>& layOut);

}  // namespace aotscope
