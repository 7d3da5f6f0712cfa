#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <optional>

namespace aotscope {

/// What the elements of an input may be: at least `low`, less than `high`.
struct IndexRange {
    std::int64_t low = 0;
    std::optional<std::int64_t> high;  ///< nothing: no index is made of them
};

/// By the tables that the elements of an input index: as they are, after integer arithmetic with values that no input
/// decides (a multiple, an offset of each field), and in the graphs that operators run.
IndexRange indexRange(const Node& input);

}  // namespace aotscope
