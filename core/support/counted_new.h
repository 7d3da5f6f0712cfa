#pragma once

#include <cstddef>

namespace aotscope {

/// Whether the code that runs on this thread may have `bytes` more: false when it came with a model and has used up its
/// budget. Operator new asks, in the whole program.
bool mayAllocate(std::size_t bytes) noexcept;

}  // namespace aotscope
