#pragma once

#include "ir/graph.h"

#include <optional>

namespace aotscope {

/// How nodes differ that stand in the same place of two ranks' graphs; the last of these is the most.
enum class Unlike : std::uint8_t {
    no,
    values,    ///< in numbers among the arguments
    sizes,     ///< in types, and in numbers that follow from them
    structure  ///< in operations or operands
};

/// The first places, in the order of nodes, where two graphs differ in each way. Nothing behind a difference of
/// structure is looked at. Devices and names of process groups may be each rank's own.
struct UnlikePlaces {
    std::optional<std::size_t> values, sizes, structure;
};
UnlikePlaces compareNodes(const Graph& first, const Graph& second);

}  // namespace aotscope
