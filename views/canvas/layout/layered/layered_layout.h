#pragma once

#include "canvas/layout/layout.h"

#include <atomic>
#include <cstdint>

namespace aotscope {

/// How a tall picture is folded.
enum class Fold : std::uint8_t {
    never,
    ladder,  ///< into columns that each have a piece of the forward, and beside it the backward of that piece
    halves,  ///< into columns of the forward, and then those of the backward
};

/// A picture without Graphviz, in linear time: the rows of the plan, an order with few crossings in them (orderRows),
/// and places across by the method of Brandes and Köpf (placeAcross). What is folded gets rows that are not too wide
/// first (limitRows); edges between columns become stubs. Changes rows and stubs of the plan. If `cancelled` becomes
/// true, the picture is unfinished.
GraphLayout layeredLayout(const DrawnGraph& graph, LayoutPlan& plan, Fold fold, const std::atomic<bool>& cancelled);

}  // namespace aotscope
