#pragma once

#include "canvas/visible.h"

namespace aotscope {

/// How deep the modules of a picture are open.
struct OpenDepth {
    int closed = 0;   ///< of the closed modules in sight, the least deep; one more than the deepest if none is closed
    int open = 0;     ///< the deepest open module
    int modules = 0;  ///< closed ones in sight

    /// True if some modules are open further than others.
    bool uneven() const { return open >= closed; }
};
OpenDepth depthOf(const GroupTree& tree, const ViewState& state);

/// Closes the innermost open modules, as zooming out does. Those in `byHand` (keys) stay open, and so do those around
/// them.
ViewState closedByZoom(const GroupTree& tree, ViewState state, const QSet<QString>& byHand);

}  // namespace aotscope
