#pragma once

#include <cstdint>

namespace aotscope {

/// The resident memory of this process in bytes; 0 if the system does not say.
std::int64_t residentBytes();
/// Without mapped files: programs, libraries and weights.
std::int64_t privateBytes();

/// Bytes of memory that the machine has left for this process, or its total memory if the system does not say.
std::int64_t availableBytes();

/// Keeps up to 1 GiB of freed memory in this process from now on (with glibc; elsewhere nothing changes). Steps
/// allocate the same memory again and again, and clearing the pages that the system hands out takes up to a third of a
/// large model's step.
void keepFreedMemory();

}  // namespace aotscope
