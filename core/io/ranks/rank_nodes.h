#pragma once

#include "ir/graph.h"

#include <optional>

namespace aotscope {

/// How nodes at the same position of two ranks' graphs differ; later values are larger differences.
enum class Unlike : std::uint8_t {
    no,
    values,    ///< in numbers among the arguments
    sizes,     ///< in types, and in numbers that follow from them
    structure  ///< in operations or operands
};

/// The first positions, in node order, where two graphs differ in each way. Nothing after a difference of structure is
/// compared. Devices and names of process groups may differ.
struct UnlikePlaces {
    std::optional<std::size_t> values, sizes, structure;
};
UnlikePlaces compareNodes(const Graph& first, const Graph& second);

}  // namespace aotscope
