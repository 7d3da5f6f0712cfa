#pragma once

#include "ir/graph.h"

#include <cstdint>

namespace aotscope {

/// Bytes that the kernel of `node` allocates as workspace while it runs, as far as known.
std::int64_t workspaceBytes(const Node& node);

}  // namespace aotscope
