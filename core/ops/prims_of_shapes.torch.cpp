#include "ops/prim_definitions.h"

#include <ATen/ops/alias.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/as_strided_scatter.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/real.h>
#include <ATen/ops/squeeze.h>

namespace aotscope {

namespace {

namespace shape_prims {

using at::IntArrayRef;
using at::Tensor;

/// The sizes of `a` with the dimensions from `start` to `end`, both included, merged.
std::vector<int64_t> collapsedSizes(const Tensor& a, int64_t start, int64_t end) {
    TORCH_CHECK(a.dim() == 0 || (start >= 0 && start <= end && end < a.dim()), "collapse: the dimensions ", start,
                " to ", end, " are not those of a tensor with ", a.dim());
    std::vector<int64_t> sizes;
    int64_t collapsed = 1;
    for (int64_t d = 0; d < a.dim(); ++d) {
        if (d < start || d > end) sizes.push_back(a.size(d));
        else collapsed *= a.size(d);
        if (d == end) sizes.push_back(collapsed);
    }
    if (a.dim() == 0) sizes.push_back(1);
    return sizes;
}

Tensor copied(const Tensor& a, IntArrayRef sizes) { return a.reshape(sizes).clone(at::MemoryFormat::Contiguous); }

Tensor collapseView(const Tensor& a, int64_t start, int64_t end) { return a.view(collapsedSizes(a, start, end)); }
Tensor collapse(const Tensor& a, int64_t start, int64_t end) { return copied(a, collapsedSizes(a, start, end)); }

Tensor splitDim(const Tensor& a, int64_t dim, int64_t outer) {
    TORCH_CHECK(dim >= 0 && dim < a.dim() && outer > 0 && a.size(dim) % outer == 0, "split_dim: dimension ", dim,
                " of sizes ", a.sizes(), " has no ", outer, " equal parts");
    std::vector<int64_t> sizes = a.sizes().vec();
    const auto place = sizes.begin() + dim;
    *place /= outer;
    sizes.insert(place, outer);
    return a.view(sizes);
}

Tensor squeezed(const Tensor& a, IntArrayRef dims) { return at::squeeze(a, dims); }
Tensor viewOf(const Tensor& a) { return at::alias(a); }
Tensor viewOfType(const Tensor& a, at::ScalarType type) { return a.view(type); }
Tensor conjugated(const Tensor& a) { return a.conj(); }
Tensor realPart(const Tensor& a) { return at::real(a); }
Tensor imaginaryPart(const Tensor& a) { return at::imag(a); }
Tensor strided(const Tensor& a, IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
    return at::as_strided(a, sizes, strides, offset);
}

Tensor joined(at::TensorList tensors, int64_t dim) { return at::cat(tensors, dim); }
Tensor cloned(const Tensor& a, std::optional<at::MemoryFormat> format) { return a.clone(format); }
Tensor reversed(const Tensor& a, IntArrayRef dims) { return at::flip(a, dims); }
Tensor withStrides(const Tensor& a, IntArrayRef strides) {
    return at::empty_strided(a.sizes(), strides, a.options()).copy_(a);
}
Tensor scattered(const Tensor& a, const Tensor& source, IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
    return at::as_strided_scatter(a, source, sizes, strides, offset);
}

Tensor& copyTo(Tensor& a, const Tensor& b) { return a.copy_(b); }

}  // namespace shape_prims

}  // namespace

void definePrimsOfShapes(PrimDefinitions& all) {
    all.addAliasing("collapse_view(Tensor(a) a, int start, int end) -> Tensor(a)", &shape_prims::collapseView);
    all.addAliasing("split_dim(Tensor(a) a, int dim, int outer_length) -> Tensor(a)", &shape_prims::splitDim);
    all.addAliasing("squeeze(Tensor(a) a, int[] dimensions) -> Tensor(a)", &shape_prims::squeezed);
    all.addAliasing("view_of(Tensor(a) a) -> Tensor(a)", &shape_prims::viewOf);
    all.addAliasing("view_of_dtype(Tensor(a) a, ScalarType dtype) -> Tensor(a)", &shape_prims::viewOfType);
    all.addAliasing("conj(Tensor(a) a) -> Tensor(a)", &shape_prims::conjugated);
    all.addAliasing("real(Tensor(a) self) -> Tensor(a)", &shape_prims::realPart);
    all.addAliasing("imag(Tensor(a) self) -> Tensor(a)", &shape_prims::imaginaryPart);
    all.addAliasing("as_strided(Tensor(a) a, int[] size, int[] stride, int storage_offset) -> Tensor(a)",
                    &shape_prims::strided);
    all.addAliasing("copy_to(Tensor(a!) a, Tensor b) -> Tensor(a!)", &shape_prims::copyTo);
    all.add("collapse(Tensor a, int start, int end) -> Tensor", &shape_prims::collapse);
    all.add("reshape(Tensor a, int[] shape) -> Tensor", &shape_prims::copied);
    all.add("cat(Tensor[] tensors, int dim) -> Tensor", &shape_prims::joined);
    all.add("clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", &shape_prims::cloned);
    all.add("rev(Tensor a, int[] dims) -> Tensor", &shape_prims::reversed);
    all.add("copy_strided(Tensor a, int[] stride) -> Tensor", &shape_prims::withStrides);
    all.add("inductor_force_stride_order(Tensor input, int[] stride) -> Tensor", &shape_prims::withStrides);
    all.add("as_strided_scatter(Tensor self, Tensor src, int[] size, int[] stride, int storage_offset) -> Tensor",
            &shape_prims::scattered);
}

}  // namespace aotscope
