#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <filesystem>
#include <map>
#include <string>

namespace aotscope {

/// The tensor in a .npy file, in a file of one tensor written by torch.save, or in a .safetensors file with one tensor.
/// "FILE.safetensors:NAME" selects one of several. Executes nothing from the file. Tensors of .npy and .safetensors
/// files are mapped: pages are read on access, writes stay private. Throws Error naming the path.
at::Tensor readTensor(const std::filesystem::path& path);

/// The tensors by name in a .safetensors file, or in a dict written by torch.save (a state dict, or a checkpoint with
/// one under "state_dict"). Skips entries other than tensors. Throws Error naming the path.
std::map<std::string, at::Tensor> readTensors(const std::filesystem::path& path);

/// The value in a torch.save file: tensors, numbers, strings, and lists, tuples and dicts of these. Throws Error naming
/// the path.
c10::IValue readSavedValue(const std::filesystem::path& path);

/// The format of the tensor file `path`, by its contents; unknown for anything else.
enum class TensorFileKind : std::uint8_t { unknown, npy, torchSave, safetensors };
TensorFileKind tensorFileKind(const std::filesystem::path& path);

}  // namespace aotscope
