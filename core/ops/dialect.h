#pragma once

#include <cstdint>
#include <string_view>

namespace aotscope {

/// Whose operations graphs are made of, where PyTorch's tracer takes operations apart in Python that LibTorch runs as
/// they are.
enum class Dialect : std::uint8_t {
    python,   ///< those of Python's AOTAutograd
    libtorch  ///< those that LibTorch itself would run
};
std::string_view name(Dialect dialect);

}  // namespace aotscope
