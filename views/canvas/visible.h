#pragma once

#include "canvas/layout/groups.h"

#include <QSet>

namespace aotscope {

/// What of a graph a person wants to see: which groups are closed, which boxes are left out. By names that hold in
/// the graphs of other passes, too.
struct ViewState {
    QSet<QString> collapsed;  ///< keys of groups
    QSet<NodeId> hidden;
    bool operator==(const ViewState&) const = default;
};

/// The boxes to be drawn: closed groups as one box for each half, their edges in bundles with counts. `graph` itself
/// where nothing is closed or hidden.
std::shared_ptr<const DrawnGraph> visibleGraph(const std::shared_ptr<const DrawnGraph>& graph, const ViewState& state);

/// `group` opened or closed, a subgraph with its operator. What is in a group that opens for the first time stays
/// closed.
ViewState toggled(const GroupTree& tree, ViewState state, int group, bool open);
/// All groups that are like `group`, itself included, opened or closed.
ViewState toggledAlike(const GroupTree& tree, ViewState state, int group, bool open);
/// Every group around a box open.
ViewState revealed(const DrawnGraph& graph, ViewState state, int box);

/// Every group below this depth closed; depth 1 shows the outermost modules as boxes.
ViewState collapsedTo(const GroupTree& tree, int depth, ViewState state = {});
/// The deepest picture of at most `mostBoxes` boxes.
ViewState readable(const DrawnGraph& graph, int mostBoxes);
/// How a graph opens: small ones as they are, large ones so that they can be read.
ViewState opening(const DrawnGraph& graph);

}  // namespace aotscope
