#pragma once

#include <cstdint>

namespace aotscope {

/// How much of the machine's memory this process occupies; 0 where the system does not say.
std::int64_t residentBytes();
/// The same without what belongs to files: programs, libraries and weights that are mapped.
std::int64_t privateBytes();

/// How much memory the machine still has for this process, or has at all where the system does not say.
std::int64_t availableBytes();

/// From now on up to 1 GiB that was freed stays with this process (with glibc; else nothing changes). Steps take the
/// same memory again and again, and the system clears each page that it hands out: up to a third of a large model's
/// step.
void keepFreedMemory();

}  // namespace aotscope
