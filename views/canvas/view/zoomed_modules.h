#pragma once

#include "canvas/visible.h"

namespace aotscope {

/// How deep the modules of a picture are open.
struct OpenDepth {
    int closed = 0;   ///< of the visible closed modules, the smallest; one more than the deepest if none is closed
    int open = 0;     ///< the deepest open module
    int modules = 0;  ///< visible closed ones

    /// True if some modules are open further than others.
    bool uneven() const { return open >= closed; }
};
OpenDepth depthOf(const GroupTree& tree, const ViewState& state);

/// Closes the innermost open modules, as zooming out does. Those in `byHand` (keys) stay open, and the ones around
/// them.
ViewState closedByZoom(const GroupTree& tree, ViewState state, const QSet<QString>& byHand);

}  // namespace aotscope
