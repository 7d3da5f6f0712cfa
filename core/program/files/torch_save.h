#pragma once

#include <ATen/core/ivalue.h>

#include <string_view>

namespace aotscope {

/// The value in the contents of a file written by torch.save or torch::jit::pickle_save: tensors, numbers, strings,
/// None, and lists, tuples and dicts of these. Executes nothing from the file: only calls that rebuild tensors are
/// accepted. Throws Error (a clause without the file's name).
c10::IValue readTorchSave(std::string_view content);

}  // namespace aotscope
