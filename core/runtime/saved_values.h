#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <vector>

namespace aotscope {

/// The values saved for backward, as SavedVariables of autograd: as in eager, it is an error to mutate one of the
/// tensors before the backward. For a tensor that is also an output, a detached copy that shares its memory is saved:
/// the tensor itself would form a reference cycle with the autograd graph.
class SavedValues {
public:
    SavedValues() = default;
    /// `values` as returned by the forward graph. `visible`: everything that the caller can see, as lists of returned
    /// values or arguments.
    SavedValues(std::vector<c10::IValue> values, const std::vector<const std::vector<c10::IValue>*>& visible);

    /// The arguments of the backward graph before the tangents, numbers first. Unless the graph is retained, ownership
    /// passes to the caller, so that the interpreter frees each value after its last use.
    std::vector<c10::IValue> take();

private:
    class Owners;
    void keep(at::Tensor tensor, Owners& owners);

    std::vector<torch::autograd::SavedVariable> tensors_;  ///< empty after a backward that frees its graph
    std::vector<c10::IValue> numbers_;
    bool freed_ = false;
};

}  // namespace aotscope
