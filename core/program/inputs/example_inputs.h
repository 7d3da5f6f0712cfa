#pragma once

#include "program/inputs/input_spec.h"
#include "program/program.h"

namespace aotscope {

/// Inputs of a model and the leaves that they derive from, which have the gradients of user inputs.
struct ExampleInputs {
    std::vector<c10::IValue> values;  ///< one for each input of the model
    std::vector<at::Tensor> leaves;   ///< leaf tensors in the order of the spec
};

/// Creates the values that `spec` describes, converted to the model's declared types (a list to a tuple, an integer to
/// a float). Random fills depend only on `seed`; the caller's RNG state is unchanged. `folder` is the base of relative
/// paths. On the meta device, the tensors have no values and no memory. Throws Error naming the value.
ExampleInputs makeInputs(const InputSpec& spec, const std::vector<InputDeclaration>& declared, std::uint64_t seed,
                         c10::Device device, const std::filesystem::path& folder);

/// Copies of recorded values on `device`, which share memory as the originals do.
ExampleInputs copyInputs(const std::vector<c10::IValue>& recorded, c10::Device device);

}  // namespace aotscope
