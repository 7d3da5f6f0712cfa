#pragma once

#include "program/inputs/input_spec.h"
#include "program/program.h"

namespace aotscope {

/// Inputs of a model and the leaves that they were made from: where gradients of user inputs are read.
struct ExampleInputs {
    std::vector<c10::IValue> values;  ///< one for each input of the model
    std::vector<at::Tensor> leaves;   ///< leaf tensors in the order of the spec
};

/// Makes the values that `spec` describes, converted to what the model declares (a list for a tuple, an integer
/// for a float). Random fills follow `seed` alone; the caller's RNG state is left as it was. `folder` is
/// where relative files are looked up. On the meta device the tensors have no values and take no memory. Throws Error
/// naming the value.
ExampleInputs makeInputs(const InputSpec& spec, const std::vector<InputDeclaration>& declared, std::uint64_t seed,
                         c10::Device device, const std::filesystem::path& folder);

/// Copies of recorded values on `device`, sharing memory among each other as the originals do.
ExampleInputs copyInputs(const std::vector<c10::IValue>& recorded, c10::Device device);

}  // namespace aotscope
