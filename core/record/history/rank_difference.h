#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// Where ranks of one program are not alike. Ranks whose collectives differ wait for each other for ever.
struct RankDifference {
    enum class Kind : std::uint8_t { missing, graph, saved, collectives, sizes, values };

    Kind kind = Kind::graph;
    std::string compile;            ///< of a log; empty: there is one only
    std::string graph;              ///< "forward", or "aot_forward_graph" of a log; empty: not of a graph
    std::string node;               ///< the first that differs; of collectives and messages, its number
    std::vector<std::string> each;  ///< what every rank has there
    std::string among = {};         ///< what it is of: "collective 2 of group '0'"; empty: what the kind says
};
std::string_view nameOf(RankDifference::Kind kind);

/// What was compared of some ranks, and the first difference of each kind in each graph.
struct RankComparison {
    std::vector<std::string> ranks;
    std::vector<RankDifference> differences;
    std::string leftOut = {};  ///< which files of a folder are none of these ranks; empty: all are
};

}  // namespace aotscope
