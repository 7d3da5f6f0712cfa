#pragma once

#include "record/graph_difference.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aotscope {

/// A line for every node that differs, as it is after the change or, if removed, before: "+" added, "-" removed, "*"
/// replaced, "~" changed, ">" moved, "=" renamed; then the totals. "no difference" if nothing differs.
std::string differenceText(const GraphDifference& difference);

/// Only the lines of the nodes.
std::vector<std::string> differenceLines(const GraphDifference& difference);

nlohmann::json differenceJson(const GraphDifference& difference);

}  // namespace aotscope
