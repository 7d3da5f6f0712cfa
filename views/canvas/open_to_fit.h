#pragma once

#include "canvas/layout.h"
#include "canvas/visible.h"

#include <functional>

namespace aotscope {

/// A graph as it is seen, and where everything is.
struct OpenedGraph {
    ViewState state;
    std::shared_ptr<const DrawnGraph> seen;
    GraphLayout layout;
};

/// Opens modules to the deepest level whose picture is no larger than `room`, in pixels at 100 %; to the first level if
/// none is.
OpenedGraph openToFit(const std::shared_ptr<const DrawnGraph>& whole, QSizeF room,
                      const std::function<GraphLayout(const DrawnGraph&)>& layOut);

}  // namespace aotscope
