#pragma once

#include "support/mapped_file.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <string>

namespace aotscope {

/// The tensors of a mapped .safetensors file, as views of it. Throws Error (a clause without the file's name).
std::map<std::string, at::Tensor> readSafetensors(const std::shared_ptr<MappedFile>& file);

}  // namespace aotscope
