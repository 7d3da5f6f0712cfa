#pragma once

#include <ATen/TensorOperators.h>
#include <torch/library.h>

// An operator like the backward of attention on a GPU, whose schema does not say that its second tensor, a bias, may be
// absent: aten.first_for_test.default. For one source of a program.

namespace aotscope::test {

inline at::Tensor firstOrSum(const at::Tensor& first, const at::Tensor& other) {
    return other.defined() ? first + other : first.clone();
}

}  // namespace aotscope::test

TORCH_LIBRARY_FRAGMENT(aten, library) { library.def("first_for_test(Tensor first, Tensor other) -> Tensor"); }

TORCH_LIBRARY_IMPL(aten, CPU, library) { library.impl("first_for_test", aotscope::test::firstOrSum); }
