#pragma once

#include "ir/graph.h"

#include <cstdint>

namespace aotscope {

/// Bytes that LibTorch's kernel of `node` allocates as workspace while it runs on up to `threads` threads, as far as
/// they follow from types.
std::int64_t workspaceBytes(const Node& node, int threads);

}  // namespace aotscope
