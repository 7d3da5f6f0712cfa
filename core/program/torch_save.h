#pragma once

#include <ATen/core/ivalue.h>

#include <string_view>

namespace aotscope {

/// The value in the content of a file made by torch.save or torch::jit::pickle_save: tensors, numbers, texts, None, and
/// lists, tuples and dicts of them. Nothing in the file is executed: its calls are compared with those that rebuild
/// tensors. Throws Error (a clause without the file's name).
c10::IValue readTorchSave(std::string_view content);

}  // namespace aotscope
