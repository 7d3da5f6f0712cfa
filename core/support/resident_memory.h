#pragma once

#include <cstddef>
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
/// Maps a file, or zeros, as data of this process that needs memory only where it is written, and is not subject to
/// that limit. Null if the system refuses; errno then has the reason.
void* mapLazily(std::size_t bytes, int file = -1);
void unmapLazy(void* data, std::size_t bytes);

/// Keeps up to 1 GiB of freed memory in this process from now on (only with glibc). Steps allocate the same memory
/// repeatedly, and clearing new pages takes up to a third of a large model's step.
void keepFreedMemory();

}  // namespace aotscope
