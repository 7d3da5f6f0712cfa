#pragma once

#include "record/graph_difference.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace aotscope {

/// A line for every node that differs, as it is now or, if it is gone, as it was: "+" added, "-" removed, "~" changed,
/// ">" moved; then how many there are of each. "no difference" if there are none.
std::string differenceText(const GraphDifference& difference);

nlohmann::json differenceJson(const GraphDifference& difference);

}  // namespace aotscope
