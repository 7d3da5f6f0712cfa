#pragma once

#include "canvas/paint.h"

#include <memory>
#include <set>

namespace aotscope {

/// The state shared by everything on one canvas; owned by the view.
struct CanvasState {
    std::shared_ptr<const DrawnGraph> graph;
    std::shared_ptr<const GraphLayout> layout;
    PaintOptions options;
    int selected = -1;           ///< index of the selected node
    std::set<int> alsoSelected;  ///< and of those marked with it
    std::set<int> hits;          ///< and of search hits
    int current = -1;            ///< of the box that a debugger executes next
};

}  // namespace aotscope
