#pragma once

#include "support/mapped_file.h"

#include <ATen/core/Tensor.h>

#include <memory>

namespace aotscope {

/// The array in a mapped .npy file (versions 1 to 3). Throws Error (a clause without the file's name).
at::Tensor readNpy(const std::shared_ptr<MappedFile>& file);

}  // namespace aotscope
