#include "program/tensor_lists.h"

#include "program/joint_function.h"
#include "support/error.h"

#include <ATen/ops/flip.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace aotscope {

using Tensors = std::vector<at::Tensor>;

Tensors OperandList::take(std::size_t count) {
    check(count <= static_cast<std::size_t>(end_ - next_), "a subgraph has as many operands as it takes");
    const auto first = std::exchange(next_, next_ + static_cast<std::ptrdiff_t>(count));
    return {first, next_};
}

Tensors OperandList::rest() { return take(static_cast<std::size_t>(end_ - next_)); }

Tensors joined(Tensors first, const Tensors& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

Tensors differentiable(const Tensors& tensors) {
    Tensors found;
    std::copy_if(tensors.begin(), tensors.end(), std::back_inserter(found), isDifferentiable);
    return found;
}

std::size_t countDifferentiable(const Tensors& tensors) {
    return static_cast<std::size_t>(std::count_if(tensors.begin(), tensors.end(), isDifferentiable));
}

Tensors defined(const Tensors& tensors) {
    Tensors found;
    std::copy_if(tensors.begin(), tensors.end(), std::back_inserter(found),
                 [](const at::Tensor& tensor) { return tensor.defined(); });
    return found;
}

Tensors withUndefined(const Tensors& gradients, const Tensors& tensors) {
    Tensors all;
    auto next = gradients.begin();
    for (const at::Tensor& tensor : tensors) all.push_back(isDifferentiable(tensor) ? *next++ : at::Tensor());
    return all;
}

Tensors flipped(const Tensors& tensors) {
    Tensors results;
    for (const at::Tensor& tensor : tensors) results.push_back(at::flip(tensor, {0}));
    return results;
}

Tensors zerosLike(const Tensors& tensors) {
    Tensors results;
    for (const at::Tensor& tensor : tensors) results.push_back(at::zeros_like(tensor));
    return results;
}

}  // namespace aotscope
