#pragma once

#include "ir/graph.h"

#include <string>
#include <string_view>

namespace aotscope {

/// A line of Python without the comment at its end, which the printout of a tensor subclass may have written:
/// "  # DTensor(f32[4], S(0))".
std::string_view codeIn(std::string_view line);

/// Where a node comes from, with the line: "l.0 (Linear), model.py:12: return self.l(x)"; empty if nothing is known.
std::string placeWithCode(const Node& node);

}  // namespace aotscope
