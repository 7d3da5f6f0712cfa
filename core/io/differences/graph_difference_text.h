#pragma once

#include "record/graph_difference.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aotscope {

/// A line for every node that differs, as it is after or, if removed, as it was before: "+" added, "-" removed, "*"
/// replaced, "~" changed, ">" moved, "=" renamed; then the totals. "no difference" if there are none.
std::string differenceText(const GraphDifference& difference);

/// The lines of the nodes alone.
std::vector<std::string> differenceLines(const GraphDifference& difference);

nlohmann::json differenceJson(const GraphDifference& difference);

}  // namespace aotscope
