#pragma once

#include "ir/graph.h"

#include <string>

namespace aotscope {

/// The redistribution of a DTensor that a collective performs: "Shard(0) -> Replicate()". Derived from its kind, and
/// the dimension that operations around it split and concatenate. Empty unless a source line around the collective, or
/// an input that it is computed from, shows that the program has DTensors.
std::string redistributionOf(const Node& collective);

}  // namespace aotscope
