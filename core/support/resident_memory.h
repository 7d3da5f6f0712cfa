#pragma once

#include <cstdint>

namespace aotscope {

/// How much of the machine's memory this process occupies; 0 where the system does not say.
std::int64_t residentBytes();

}  // namespace aotscope
