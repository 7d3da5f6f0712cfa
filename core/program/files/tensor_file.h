#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <filesystem>
#include <map>
#include <string>

namespace aotscope {

/// The tensor in a .npy file, in a file made by torch.save of one tensor, or in a .safetensors file with one tensor.
/// "FILE.safetensors:NAME" selects one of several. Executes nothing from the file. Tensors of .npy and .safetensors
/// files are mapped: pages are read on access, writes stay private. Throws Error naming the path.
at::Tensor readTensor(const std::filesystem::path& path);

/// The tensors by name of a .safetensors file, or of a file made by torch.save of a dict (a state dict, or a checkpoint
/// with one under "state_dict"). Entries other than tensors are left out. Throws Error naming the path.
std::map<std::string, at::Tensor> readTensors(const std::filesystem::path& path);

/// The value in a torch.save file: tensors, numbers, strings, and lists, tuples and dicts of these. Throws Error naming
/// the path.
c10::IValue readSavedValue(const std::filesystem::path& path);

/// The format of the tensor file `path`, by its content; unknown for anything else.
enum class TensorFileKind : std::uint8_t { unknown, npy, torchSave, safetensors };
TensorFileKind tensorFileKind(const std::filesystem::path& path);

}  // namespace aotscope
