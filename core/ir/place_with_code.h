#pragma once

#include "ir/graph.h"

#include <string>
#include <string_view>

namespace aotscope {

/// A line of Python without the trailing comment that printing a tensor subclass may add: "  # DTensor(f32[4], S(0))".
std::string_view codeIn(std::string_view line);

/// The origin of a node, with the line: "l.0 (Linear), model.py:12: return self.l(x)"; empty if unknown.
std::string placeWithCode(const Node& node);

}  // namespace aotscope
