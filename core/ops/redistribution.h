#pragma once

#include "ir/graph.h"

#include <string>

namespace aotscope {

/// Which redistribution of a DTensor a collective is: "Shard(0) -> Replicate()". By its kind, and the dimension that
/// operations around it cut and join. Empty where nothing says that the program has DTensors: no source line around the
/// collective, and no input that it is computed from.
std::string redistributionOf(const Node& collective);

}  // namespace aotscope
