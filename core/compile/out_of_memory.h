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

/// Whether an operation failed because a device, or the machine, had no memory for it.
bool isOutOfMemory(const std::exception& failure);

/// One sentence: where it happened, what was asked for, and the largest of the values that were alive then.
std::string outOfMemoryText(const std::exception& failure, const std::string& where, std::vector<LiveTensor> live);

}  // namespace aotscope
