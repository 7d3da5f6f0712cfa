#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace aotscope {

/// A value in memory, by the name of its node.
struct LiveTensor {
    std::string name;
    std::int64_t bytes = 0;
};

/// Whether an operation failed because the device or the host ran out of memory.
bool isOutOfMemory(const std::exception& failure);

/// One sentence: where it happened, the size of the failed allocation, and the largest live values.
std::string outOfMemoryText(const std::exception& failure, const std::string& where, std::vector<LiveTensor> live);

}  // namespace aotscope
