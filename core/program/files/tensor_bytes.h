#pragma once

#include "support/mapped_file.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

namespace aotscope {

/// The number of elements of a tensor of `sizes`. Throws Error, a clause that continues "a tensor", for a negative size
/// or more than 2^40 elements.
std::int64_t checkedElements(const std::vector<std::int64_t>& sizes);

/// The tensor whose elements are stored row-major at `offset` of `file`, which must contain all of them; keeps the file
/// mapped. Copied if the mapped memory cannot be used: unaligned elements, and booleans other than 0 and 1.
at::Tensor tensorInFile(const std::shared_ptr<MappedFile>& file, std::size_t offset,
                        const std::vector<std::int64_t>& sizes, at::ScalarType dtype);

}  // namespace aotscope
