#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <optional>

namespace aotscope {

/// The valid range of an input's elements: at least `low`, less than `high`.
struct IndexRange {
    std::int64_t low = 0;
    std::optional<std::int64_t> high;  ///< nothing: they are not used as an index
};

/// Derived from the tables that the elements of an input index: directly, after integer arithmetic with values
/// independent of inputs (a multiple, an offset of each field), and in subgraphs.
IndexRange indexRange(const Node& input);

}  // namespace aotscope
