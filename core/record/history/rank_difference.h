#pragma once

#include "ir/node_attributes.h"
#include "record/graph_kind.h"

#include <string>
#include <vector>

namespace aotscope {

/// Where ranks of one program are not alike. Ranks whose collectives differ wait for each other forever.
struct RankDifference {
    enum class Kind : std::uint8_t { missing, graph, saved, collectives, sizes, values };
    /// What a rank has there, and the node that it is about.
    struct Place {
        std::string text;
        NodeId node = kNoNode;
        GraphKind graph = GraphKind::joint;
    };

    Kind kind = Kind::graph;
    std::string compile;             ///< of a log; empty: there is one only
    std::optional<GraphKind> graph;  ///< nothing: not of a graph
    std::string node;                ///< the first that differs; of collectives and messages, its number
    std::vector<Place> each;         ///< of every rank
    std::string among = {};          ///< what it is of: "collective 2 of group '0'"; empty: what the kind says
    bool postGrad = false;           ///< of Inductor's graph, which was made of that one
};
std::string_view nameOf(RankDifference::Kind kind);
/// "forward", "post-grad"; empty: not of a graph.
std::string_view graphName(const RankDifference& difference);

/// What was compared of some ranks, and the first difference of each kind in each graph.
struct RankComparison {
    std::vector<std::string> ranks;
    std::vector<RankDifference> differences;
    std::string leftOut = {};  ///< which files of a folder are none of these ranks; empty: all are
};

}  // namespace aotscope
