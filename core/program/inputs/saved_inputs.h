#pragma once

#include "program/program.h"

#include <filesystem>
#include <vector>

namespace aotscope {

/// Reads the model's inputs from a tensor, or a tuple, list or dict of tensors, written by torch.save; from a .npy
/// file, for a single input; or from a .safetensors file, by input name. Executes nothing in the file.
std::vector<c10::IValue> readSavedInputs(const std::filesystem::path& path,
                                         const std::vector<InputDeclaration>& declared);

/// Reads several batches from such a file: the elements of a tuple or list of tuples, lists and dicts, or of tensors if
/// the model takes one. Any other argument of --inputs is a single batch.
std::vector<std::vector<c10::IValue>> readSavedBatches(const std::filesystem::path& path,
                                                       const std::vector<InputDeclaration>& declared);

}  // namespace aotscope
