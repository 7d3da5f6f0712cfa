#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <vector>

/// Operations on lists of tensors for the gradients of loops.
namespace aotscope {

/// The operands of a subgraph, taken from the front.
class OperandList {
public:
    explicit OperandList(const std::vector<at::Tensor>& operands) : next_(operands.begin()), end_(operands.end()) {}

    std::vector<at::Tensor> take(std::size_t count);
    std::vector<at::Tensor> rest();

private:
    std::vector<at::Tensor>::const_iterator next_, end_;
};

std::vector<at::Tensor> joined(std::vector<at::Tensor> first, const std::vector<at::Tensor>& second);

/// The differentiable ones.
std::vector<at::Tensor> differentiable(const std::vector<at::Tensor>& tensors);
std::size_t countDifferentiable(const std::vector<at::Tensor>& tensors);

/// Only the defined ones.
std::vector<at::Tensor> defined(const std::vector<at::Tensor>& tensors);
/// `gradients` of the differentiable `tensors`, with undefined ones for the others.
std::vector<at::Tensor> withUndefined(const std::vector<at::Tensor>& gradients, const std::vector<at::Tensor>& tensors);

/// Reversed along the first dimension.
std::vector<at::Tensor> flipped(const std::vector<at::Tensor>& tensors);
std::vector<at::Tensor> zerosLike(const std::vector<at::Tensor>& tensors);

}  // namespace aotscope
