#pragma once

#include "record/results/results.h"

#include <array>

namespace aotscope {

/// The time of a graph in ms for all displays: the median of the compiled function's forward or backward, over runs in
/// which nothing else is timed. Includes the wrapper around the graph. Comparisons with eager, other runs and variants
/// use the same time.
double graphMs(const TimingResult& timing, bool backward);

/// How the time of each graph is divided among its steps. Steps are timed in separate runs, and medians do not add up:
///
/// - The graph's time beyond the medians of its steps is its overhead: the wrapper, launches of operations, and
///   interruptions by other programs, each of which hits a different step in every run.
/// - If the medians of the steps add up to more than the graph's time, each is scaled down by the same factor.
class GraphTimes {
public:
    explicit GraphTimes(const TimingResult& timing);

    double totalUs(bool backward) const { return halves_[backward].totalUs; }
    double totalUs() const { return totalUs(false) + totalUs(true); }
    double stepUs(const StepTime& step) const;
    double overheadUs(bool backward) const;
    /// The share of the total spent in operations: on a GPU, its utilization.
    double utilization() const;

private:
    struct Half {
        double totalUs = 0, stepsUs = 0;
        double scale() const { return stepsUs > totalUs ? totalUs / stepsUs : 1; }
    };
    std::array<Half, 2> halves_;  ///< forward or inference, backward
};

}  // namespace aotscope
