#pragma once

#include "ir/graph.h"

#include <string>

namespace aotscope {

/// Where a node comes from, with the line: "l.0 (Linear), model.py:12: return self.l(x)"; empty if nothing is known.
std::string placeWithCode(const Node& node);

}  // namespace aotscope
