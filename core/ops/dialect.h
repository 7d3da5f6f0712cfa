#pragma once

#include <cstdint>
#include <string_view>

namespace aotscope {

/// Which operations graphs consist of, where PyTorch's tracer decomposes operations in Python that LibTorch runs as
/// they are.
enum class Dialect : std::uint8_t {
    python,   ///< those of Python's AOTAutograd
    libtorch  ///< those that LibTorch itself runs
};
std::string_view name(Dialect dialect);

}  // namespace aotscope
