#pragma once

#include "distributed/world.h"

namespace aotscope {

/// How values of several ranks become one.
enum class Reduction : std::uint8_t { sum, average, product, minimum, maximum, bitAnd, bitOr, bitXor };

/// As programs spell it, in any case: "sum", "avg". Throws Error for another one.
Reduction reductionNamed(const std::string& name);

/// Tensor `which` of all ranks, reduced; of those parts of its rows, if it is cut into `parts` along the first
/// dimension.
at::Tensor reduced(const Contributions& all, std::size_t which, Reduction how);
at::Tensor reducedPart(const Contributions& all, std::size_t which, Reduction how, std::int64_t part,
                       std::int64_t parts);

/// The rows of all ranks after each other, into `result`.
void gatherInto(const at::Tensor& result, const Contributions& all, std::size_t which);

}  // namespace aotscope
