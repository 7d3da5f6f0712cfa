#pragma once

#include "io/differences/run_difference.h"

#include <string>

namespace aotscope {

/// A summary in one line, then the nodes, counts, values and facts that differ, so many of each as a person reads;
/// "no difference" if there are none. What was not compared, and what differs without counting, comes last.
std::string differenceText(const RunDifference& difference);

/// The summary alone: "joint: 1 changed, forward: 1 changed, 2 options".
std::string summaryOf(const RunDifference& difference);

}  // namespace aotscope
