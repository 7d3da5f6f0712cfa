#pragma once

#include <cstddef>

namespace aotscope {

/// Whether the code on this thread may allocate `bytes` more: false if it is from a model and its budget is used up.
/// Called by operator new in the whole program.
bool mayAllocate(std::size_t bytes) noexcept;

}  // namespace aotscope
