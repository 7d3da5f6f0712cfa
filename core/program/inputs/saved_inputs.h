#pragma once

#include "program/program.h"

#include <filesystem>
#include <vector>

namespace aotscope {

/// Reads the model's inputs from a file made by torch.save of a tensor, or of a tuple, list or dict of tensors; from a
/// .npy file, the only input; from a .safetensors file, by the inputs' names. Executes nothing in it.
std::vector<c10::IValue> readSavedInputs(const std::filesystem::path& path,
                                         const std::vector<InputDeclaration>& declared);

/// Reads several inputs of the model from such a file: the elements of a tuple or list of tuples, lists and dicts, or
/// of tensors if the model takes one. What else --inputs takes is a single batch.
std::vector<std::vector<c10::IValue>> readSavedBatches(const std::filesystem::path& path,
                                                       const std::vector<InputDeclaration>& declared);

}  // namespace aotscope
