#pragma once

#include "record/history/node_follower.h"
#include "record/pass_graphs.h"

namespace aotscope {

/// The state of a node in one graph of a run.
struct HistoryStep {
    enum class State : std::uint8_t {
        absent,  ///< not there (yet), or in the other half
        appears,
        unchanged,
        changed,
        replaced,
        gone
    } state = State::absent;
    PassGraph where;
    std::vector<NodeId> nodes;  ///< that represent it; the first one is shown
    std::string text;           ///< the node's text in the graph, or what became of it
    std::string change;         ///< since the previous graph, as in their difference: "conv2d -> convolution"
};
std::string_view name(HistoryStep::State state);

/// Follows a node of `graph` through all graphs of the run, back to its origin and forward to what becomes of it.
std::vector<HistoryStep> historyOf(NodeFollower& follower, const std::shared_ptr<const Graph>& graph, GraphKind kind,
                                   NodeId node);

}  // namespace aotscope
