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
    std::vector<NodeId> nodes;  ///< that stand for it; the first one is shown
    std::string text;           ///< the node as the graph has it, or what became of it
    std::string change;  ///< since the graph before, as the difference of the two has it: "conv2d -> convolution"
};
std::string_view name(HistoryStep::State state);

/// Follows a node of `graph` through all graphs of the run, back to its origin and forward to what it becomes.
std::vector<HistoryStep> historyOf(NodeFollower& follower, const std::shared_ptr<const Graph>& graph, GraphKind kind,
                                   NodeId node);

}  // namespace aotscope
