#pragma once

#include <span>
#include <string_view>

namespace aotscope {

/// The lines of resources/operators/schemas.txt, compiled in.
std::span<const std::string_view> operatorRows();

}  // namespace aotscope
