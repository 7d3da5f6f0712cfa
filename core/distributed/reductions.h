#pragma once

#include "distributed/world.h"

namespace aotscope {

/// How values of several ranks are combined.
enum class Reduction : std::uint8_t { sum, average, product, minimum, maximum, bitAnd, bitOr, bitXor };

/// Case-insensitive, as programs spell it: "sum", "avg". Throws Error for another name.
Reduction reductionNamed(const std::string& name);

/// Tensor `which` of all ranks, reduced; if it is split into `parts` along the first dimension, only the given part.
at::Tensor reduced(const Contributions& all, std::size_t which, Reduction how);
at::Tensor reducedPart(const Contributions& all, std::size_t which, Reduction how, std::int64_t part,
                       std::int64_t parts);

/// Concatenates the rows of all ranks in `result`.
void gatherInto(const at::Tensor& result, const Contributions& all, std::size_t which);

}  // namespace aotscope
