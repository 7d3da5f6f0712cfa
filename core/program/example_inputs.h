#pragma once

#include "program/input_spec.h"
#include "program/program.h"

#include <unordered_map>

namespace aotscope {

/// Inputs of a model and the leaves that they were made from: where gradients of user inputs are read.
struct ExampleInputs {
    std::vector<c10::IValue> values;  ///< one for each input of the model
    std::vector<at::Tensor> leaves;   ///< leaf tensors in the order of the spec
};

/// Makes the values that `spec` describes, converted to what the model declares (a list for a tuple, an integer
/// for a float). Random fills follow `seed` alone; the caller's RNG state is left as it was. `folder` is
/// where relative files are looked up. Throws Error naming the value.
ExampleInputs makeInputs(const InputSpec& spec, const std::vector<InputDeclaration>& declared, std::uint64_t seed,
                         c10::Device device, const std::filesystem::path& folder);

/// A copy of `original` with the same strides and offset in a copy of its storage; `storages` remembers copied
/// storages, so that tensors which shared memory still do. On `device`, or where the original lies.
at::Tensor copyTensor(const at::Tensor& original, std::unordered_map<const c10::StorageImpl*, c10::Storage>& storages,
                      const std::optional<c10::Device>& device = std::nullopt);

/// Copies of recorded values on `device`, sharing memory among each other as the originals do.
ExampleInputs copyInputs(const std::vector<c10::IValue>& recorded, c10::Device device);

/// Reads the model's inputs from a file made by torch.save of a tensor, or of a tuple, list or dict of tensors; from a
/// .npy file, the only input; from a .safetensors file, by the inputs' names. Executes nothing in it.
std::vector<c10::IValue> readSavedInputs(const std::filesystem::path& path,
                                         const std::vector<InputDeclaration>& declared);

/// Reads several inputs of the model from such a file: the elements of a tuple or list of tuples, lists and dicts, or
/// of tensors if the model takes one. What else --inputs takes is a single batch.
std::vector<std::vector<c10::IValue>> readSavedBatches(const std::filesystem::path& path,
                                                       const std::vector<InputDeclaration>& declared);

}  // namespace aotscope
