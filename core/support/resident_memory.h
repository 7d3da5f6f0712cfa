#pragma once

#include <cstdint>

namespace aotscope {

/// The resident memory of this process in bytes; 0 if unknown.
std::int64_t residentBytes();
/// Without mapped files: programs, libraries and weights.
std::int64_t privateBytes();

/// Bytes of memory that are available to this process, or the machine's total memory if unknown.
std::int64_t availableBytes();

/// From now on, allocations of this process fail beyond what the machine can give: the available memory, and a quarter
/// of all, which others may free. Threads may fail to start, too.
void limitData();
/// Raises that limit for data that needs no memory, such as a mapped file, or lowers it again. Without one, does
/// nothing.
void allowData(std::int64_t bytes);

/// Keeps up to 1 GiB of freed memory in this process from now on (only with glibc). Steps allocate the same memory
/// repeatedly, and clearing new pages takes up to a third of a large model's step.
void keepFreedMemory();

}  // namespace aotscope
