#pragma once

#include "support/progress.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace aotscope {

/// What two sequences have in common, in the same order.
///
/// The events of a run are aligned with the calls of a graph that runs once or several times. Of all alignments, those
/// count that join the most (by weight), and only what all of these agree on is joined: if an event could belong to one
/// of two calls, it belongs to none. (All best alignments lie between two: the one that takes the earliest calls, and
/// the one that takes the latest. What both have in common, all have.)
struct Alignment {
    static constexpr int kNone = -1, kAmbiguous = -2;

    std::vector<int> calls;       ///< for each event: a call, or one of these
    std::vector<int> iterations;  ///< for each event: in which run of the graph, if it is joined
    int iterationCount = 0;
};

/// `weight(event, call)`: 0 if they are different. `iteration`: what a run of the graph must at least have joined, so
/// that events that happen to look like some calls are not taken for another run.
Alignment align(std::size_t events, std::size_t calls, const std::function<int(std::size_t, std::size_t)>& weight,
                int iteration, const Progress& progress);

/// Beyond this product of events and calls, alignment takes too much memory.
inline constexpr std::size_t kLargestAlignment = std::size_t{1} << 28;

}  // namespace aotscope
