#pragma once

#include "ir/graph.h"

#include <string_view>

namespace aotscope {

/// Why values of a node are meaningless and not compared, as a clause: "memory that nothing has written yet", "a
/// kernel's reserve of bytes". Empty if they are meaningful.
std::string_view whyMeaningless(const Node& node);
inline bool isMeaningless(const Node& node) { return !whyMeaningless(node).empty(); }

}  // namespace aotscope
