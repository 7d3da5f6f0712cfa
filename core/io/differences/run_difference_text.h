#pragma once

#include "io/differences/run_difference.h"

#include <string>

namespace aotscope {

/// A summary in one line, then a readable number of the nodes, counts, values and facts that differ; "no difference" if
/// nothing does. What was not compared, and ignored differences, come last.
std::string differenceText(const RunDifference& difference);

/// Only the summary: "joint: 1 changed, forward: 1 changed, 2 options".
std::string summaryOf(const RunDifference& difference);

}  // namespace aotscope
