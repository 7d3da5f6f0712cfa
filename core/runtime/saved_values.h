#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <unordered_map>
#include <vector>

namespace aotscope {

/// The values saved for backward, kept as autograd SavedVariables: mutating one of the tensors before backward is an
/// error, as in eager. A tensor that is also an output is kept by a twin: it would otherwise hold the
/// autograd graph that holds it.
class SavedValues {
public:
    SavedValues() = default;
    /// `values` as the forward graph returned them. `visible`: what the caller of the function gets to see, each a list
    /// of returned values or arguments.
    SavedValues(std::vector<c10::IValue> values, const std::vector<const std::vector<c10::IValue>*>& visible);

    /// The arguments of the backward graph before the tangents: numbers first. Unless the graph is retained they are
    /// given away, so that the interpreter frees each at its last use.
    std::vector<c10::IValue> take();

private:
    class Owners;
    void keep(at::Tensor tensor, Owners& owners);

    std::vector<torch::autograd::SavedVariable> tensors_;  ///< empty after a backward that frees its graph
    std::vector<c10::IValue> numbers_;
    bool freed_ = false;
};

}  // namespace aotscope
