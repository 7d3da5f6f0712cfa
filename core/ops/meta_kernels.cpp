#include "ops/meta_kernels.h"

#include <ATen/ops/ne.h>
#include <torch/library.h>

namespace aotscope {

namespace {

// Logical operations answer with the sizes and strides of comparisons.
at::Tensor& binaryLogical(const at::Tensor& a, const at::Tensor& b, at::Tensor& out) { return at::ne_out(out, a, b); }
at::Tensor& unaryLogical(const at::Tensor& a, at::Tensor& out) { return at::ne_out(out, a, a); }

}  // namespace

void registerMetaKernels() {
    static torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::Meta, __FILE__, __LINE__);
    static const bool once = [] {
        library.impl("logical_and.out", binaryLogical);
        library.impl("logical_or.out", binaryLogical);
        library.impl("logical_xor.out", binaryLogical);
        library.impl("logical_not.out", unaryLogical);
        return true;
    }();
    (void)once;
}

}  // namespace aotscope
