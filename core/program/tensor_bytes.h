#pragma once

#include "support/mapped_file.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// Number of elements of a tensor of `sizes`. Throws Error, a clause that continues "a tensor", for a negative size or
/// more than 2^40 elements.
std::int64_t checkedElements(const std::vector<std::int64_t>& sizes);

/// The tensor whose elements lie row major at `offset` of `file`, which holds them all; it keeps the file mapped.
/// Copied where the mapped memory cannot serve as it is: unaligned elements, and truth values other than 0 and 1.
at::Tensor tensorInFile(const std::shared_ptr<MappedFile>& file, std::size_t offset,
                        const std::vector<std::int64_t>& sizes, at::ScalarType dtype);

}  // namespace aotscope
