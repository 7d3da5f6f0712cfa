#pragma once

#include "ir/node_attributes.h"
#include "record/graph_kind.h"

#include <string>
#include <vector>

namespace aotscope {

/// A difference between ranks of one program. Ranks whose collectives differ wait for each other forever.
struct RankDifference {
    enum class Kind : std::uint8_t { missing, graph, saved, collectives, sizes, values };
    /// A rank's value there, and its node.
    struct Place {
        std::string text;
        NodeId node = kNoNode;
        GraphKind graph = GraphKind::joint;
    };

    Kind kind = Kind::graph;
    std::string compile;             ///< in a log; empty if there is only one
    std::optional<GraphKind> graph;  ///< nothing: not about a graph
    std::string node;                ///< the first that differs; for collectives and messages, its number
    std::vector<Place> each;         ///< by rank
    std::string among = {};          ///< the subject: "collective 2 of group '0'"; empty: implied by the kind
    bool postGrad = false;           ///< in Inductor's graph derived from that one
};
std::string_view nameOf(RankDifference::Kind kind);
/// "forward", "post-grad"; empty: not about a graph.
std::string_view graphName(const RankDifference& difference);

/// What was compared between ranks, and the first difference of each kind in each graph.
struct RankComparison {
    std::vector<std::string> ranks;
    std::vector<RankDifference> differences;
    std::string leftOut = {};  ///< files of a folder that are not among these ranks; empty: none
};

}  // namespace aotscope
