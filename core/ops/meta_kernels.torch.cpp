#include "ops/meta_kernels.h"

#include <ATen/ops/ne.h>
#include <ATen/ops/polygamma.h>
#include <torch/library.h>

namespace aotscope {

namespace {

// Results with the sizes and strides of comparisons, whatever the dtype.
at::Tensor& binaryLogical(const at::Tensor& a, const at::Tensor& b, at::Tensor& out) { return at::ne_out(out, a, b); }
at::Tensor& unaryLogical(const at::Tensor& a, at::Tensor& out) { return at::ne_out(out, a, a); }

at::Tensor& nanToNum(const at::Tensor& a, std::optional<double>, std::optional<double>, std::optional<double>,
                     at::Tensor& out) {
    return unaryLogical(a, out);
}

at::Tensor& mvlgamma(const at::Tensor& a, std::int64_t, at::Tensor& out) { return unaryLogical(a, out); }
at::Tensor& conjugateInPlace(at::Tensor& a) { return a; }
at::Tensor& mvlgammaInPlace(at::Tensor& a, std::int64_t) { return a; }

at::Tensor& polygammaInPlace(at::Tensor& a, std::int64_t n) { return a.copy_(at::polygamma(n, a)); }

}  // namespace

void registerMetaKernels() {
    static torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::Meta, __FILE__, __LINE__);
    static torch::Library functional(torch::Library::IMPL, "aten", c10::DispatchKey::Functionalize, __FILE__, __LINE__);
    static const bool once = [] {
        library.impl("logical_and.out", binaryLogical);
        library.impl("logical_or.out", binaryLogical);
        library.impl("logical_xor.out", binaryLogical);
        library.impl("logical_not.out", unaryLogical);
        library.impl("abs.out", unaryLogical);
        library.impl("conj_physical.out", unaryLogical);
        library.impl("conj_physical_", conjugateInPlace);
        library.impl("nan_to_num.out", nanToNum);
        library.impl("mvlgamma.out", mvlgamma);
        library.impl("mvlgamma_", mvlgammaInPlace);
        functional.impl("polygamma_", polygammaInPlace);
        return true;
    }();
    (void)once;
}

}  // namespace aotscope
