#pragma once

#include "load/example_inputs.h"
#include "load/model.h"
#include "options.h"
#include "runtime/compiled_function.h"

#include <optional>

namespace aotscope {

/// The arguments of one run: fresh state and inputs, always the same values.
struct RunArguments {
    std::vector<c10::IValue> leaves;         ///< as FlatFunction takes them
    std::vector<at::Tensor> differentiable;  ///< leaf tensors that require a gradient
    std::vector<std::string> differentiableNames;
};

/// A model with the inputs that the options choose, and the function made of both.
class Workload {
public:
    /// Throws InputsNeeded when the model brings no inputs and the options give none, Error when they do not fit.
    Workload(Model model, const Options& options);

    const Model& model() const { return model_; }
    const FlatFunction& function() const { return *function_; }
    /// The spec in use, or one with the shapes and dtypes of recorded inputs.
    InputSpec describeInputs() const;
    std::vector<std::string> inputNames() const;

    /// `ownState`: copies of parameters and buffers, so that a run leaves the model as it was.
    RunArguments arguments(bool ownState) const;

private:
    ExampleInputs inputs() const;

    Model model_;
    Options options_;
    std::vector<c10::IValue> recorded_;  ///< inputs that came from a file
    std::optional<InputSpec> spec_;
    std::optional<FlatFunction> function_;
};

/// Tangent of output `index`: element k, row major, is (((k * 3) % 8) - 3 + index) * 0.25.
at::Tensor standardTangent(const at::Tensor& output, std::size_t index);

/// Outputs that a backward can start from, with their tangents.
struct BackwardStart {
    std::vector<at::Tensor> outputs, tangents;
};
BackwardStart backwardStart(const std::vector<c10::IValue>& outputs);

}  // namespace aotscope
