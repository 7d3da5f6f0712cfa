#pragma once

#include "canvas/layout/groups.h"

#include <QSet>

namespace aotscope {

/// The visible part of a graph: which groups are closed, which boxes are hidden. By names that are valid in the graphs
/// of other passes, too.
struct ViewState {
    QSet<QString> collapsed;  ///< keys of groups
    QSet<NodeId> hidden;
    bool operator==(const ViewState&) const = default;
};

/// The boxes to draw: closed groups as one box for each half, their edges in bundles with counts. `graph` itself if
/// nothing is closed or hidden.
std::shared_ptr<const DrawnGraph> visibleGraph(const std::shared_ptr<const DrawnGraph>& graph, const ViewState& state);

/// With `group` opened or closed, a subgraph with its operator. Groups inside one that opens for the first time stay
/// closed.
ViewState toggled(const GroupTree& tree, ViewState state, int group, bool open);
/// With all groups similar to `group`, including itself, opened or closed.
ViewState toggledAlike(const GroupTree& tree, ViewState state, int group, bool open);
/// With every group around a box open.
ViewState revealed(const DrawnGraph& graph, ViewState state, int box);

/// With every group below this depth closed; depth 1 shows the outermost modules as boxes. Runs are open.
ViewState collapsedTo(const GroupTree& tree, int depth, ViewState state = {});
/// With every run closed.
ViewState withRunsClosed(const GroupTree& tree, ViewState state);
/// The deepest picture of at most `mostBoxes` boxes.
ViewState readable(const DrawnGraph& graph, int mostBoxes);
/// The initial state of a graph: small ones complete, large ones readable.
ViewState opening(const DrawnGraph& graph);

}  // namespace aotscope
