#include "ops/decompositions/decomposition_support.h"
#include "ops/prims.h"

#include <ATen/ops/_unsafe_index.h>
#include <ATen/ops/_unsafe_index_put.h>
#include <ATen/ops/_unsafe_masked_index.h>
#include <ATen/ops/_unsafe_masked_index_put_accumulate.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/index.h>
#include <ATen/ops/index_put.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/scatter_add.h>
#include <ATen/ops/zeros.h>

namespace aotscope {

namespace {

using namespace rules;

using Indices = c10::List<std::optional<Tensor>>;

Indices indicesOf(const c10::IValue& list) {
    Indices indices;
    for (const c10::IValue& v : list.toListRef())
        indices.push_back(v.isNone() || !v.toTensor().defined() ? std::nullopt : std::optional<Tensor>(v.toTensor()));
    return indices;
}
/// `index` for dimension `dim`, and all of the preceding dimensions.
Indices along(std::int64_t dim, const Tensor& index) {
    Indices indices;
    for (std::int64_t i = 0; i < dim; ++i) indices.push_back(std::nullopt);
    indices.push_back(index);
    return indices;
}

Tensor unsafeIndex(const Tensor& self, const c10::IValue& indices) { return at::index(self, indicesOf(indices)); }
Tensor unsafeIndexPut(const Tensor& self, const c10::IValue& indices, const Tensor& values, bool accumulate) {
    return at::index_put(self, indicesOf(indices), values, accumulate);
}

Indices clamped(const Indices& indices, const Tensor& self, bool fromEnd) {
    Indices result;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const std::optional<Tensor> index = indices.get(i);
        const std::int64_t size = self.size(static_cast<std::int64_t>(i));
        result.push_back(index ? std::optional<Tensor>(at::clamp(*index, fromEnd ? -size : 0, size - 1))
                               : std::nullopt);
    }
    return result;
}

std::optional<Tensor> maskedIndex(const Tensor& self, const Tensor& mask, const c10::IValue& list, const Scalar& fill) {
    if (self.numel() == 0) return std::nullopt;
    const Indices indices = clamped(indicesOf(list), self, false);
    return at::masked_fill(at::_unsafe_index(self, indices), mask.bitwise_not(), fill);
}
Tensor maskedIndexPut(const Tensor& self, const Tensor& mask, const c10::IValue& list, const Tensor& values) {
    if (self.numel() == 0) return at::clone(self);
    const Indices indices = clamped(indicesOf(list), self, true);
    return at::_unsafe_index_put(self, indices, at::masked_fill(values, mask.bitwise_not(), 0), true);
}

Tensor embeddingBackward(const Tensor& gradOut, const Tensor& given, std::int64_t rows, std::int64_t padding,
                         bool scaleByFrequency) {
    const Opmath math({gradOut});
    Tensor grad = math.up(gradOut);
    const Tensor indices = cast(given, at::kLong);
    const Tensor valid = indices.ge(0).__and__(indices.lt(rows));
    const Indices places = along(0, indices);
    if (scaleByFrequency) {
        const Tensor counts =
            at::_unsafe_masked_index_put_accumulate(indices.new_zeros({rows}), valid, places, at::ones_like(indices));
        grad = over(grad, at::_unsafe_masked_index(counts, valid, places, 1).unsqueeze(-1));
    }
    const Tensor mask = unsqueezeTo(valid.__and__(indices.ne(padding)), grad.dim());
    Sizes sizes = {rows};
    for (std::int64_t d = indices.dim(); d < grad.dim(); ++d) sizes.push_back(grad.size(d));
    return math.down(at::_unsafe_masked_index_put_accumulate(grad.new_zeros(sizes), mask, places, grad));
}

Tensor maskedFillScalar(const Tensor& self, const Tensor& mask, const Scalar& value) {
    const bool boolean = self.scalar_type() == at::kBool, integer = at::isIntegralType(self.scalar_type(), false);
    const Scalar number = boolean ? Scalar(value.toBool()) : integer ? Scalar(value.toLong()) : value;
    return choose(mask, number, self).contiguous();
}
Tensor maskedFillTensor(const Tensor& self, const Tensor& mask, const Tensor& value) {
    return choose(mask, cast(value, self.scalar_type()), self).contiguous();
}

/// Writes `source` to the positions `index` in dimension `dim`.
Tensor putAlong(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source, bool accumulate) {
    const Tensor target = self.dim() == 0 ? self.unsqueeze(0) : self;
    const Tensor places = index.dim() == 0 ? index.unsqueeze(0) : index;
    const Tensor result = at::index_put(target, along(wrapDim(dim, self.dim()), places), source, accumulate);
    return self.dim() == 0 ? result.squeeze(0) : result.contiguous();
}
Tensor indexAdd(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) {
    return putAlong(self, dim, index, alpha.equal(1) ? source : times(source, alpha), true);
}
std::optional<Tensor> indexAddUnlessNarrow(const Tensor& self, std::int64_t dim, const Tensor& index,
                                           const Tensor& source, const Scalar& alpha) {
    if (self.scalar_type() == at::kBFloat16) return std::nullopt;
    return indexAdd(self, dim, index, source, alpha);
}
Tensor indexCopy(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source) {
    return putAlong(self, dim, index, source, false);
}
Tensor indexSelect(const Tensor& self, std::int64_t dim, const Tensor& given) {
    const Tensor index = given.dim() == 0 ? given.unsqueeze(0) : given;
    if (self.dim() == 0) return at::index(self.unsqueeze(0), along(0, index)).squeeze(0);
    return at::index(self, along(wrapDim(dim, self.dim()), index)).contiguous(self.suggest_memory_format());
}
Tensor take(const Tensor& self, const Tensor& index) { return at::index(self.reshape({-1}), along(0, index)); }

// --- Pooling ----------------------------------------------------------------------------------------------------

/// A single number applies to all dimensions.
Sizes expanded(const Sizes& given, std::size_t dims) { return given.size() == 1 ? Sizes(dims, given[0]) : given; }

template <std::size_t dims>
std::optional<std::tuple<Tensor, Tensor>> maxPool(const Tensor& self, const Sizes& kernelSize, const Sizes& strides,
                                                  const Sizes& paddings, const Sizes& dilations, bool ceilMode) {
    constexpr std::int64_t largestWindow = 25;  // above this, storing the indices themselves pays off
    const Sizes kernel = expanded(kernelSize, dims), stride = strides.empty() ? kernel : expanded(strides, dims);
    const Sizes padding = expanded(paddings, dims), dilation = expanded(dilations, dims);
    if (c10::multiply_integers(kernel) > largestWindow) return std::nullopt;
    const auto [values, offsets] = prims::maxPoolWithOffsets(self, kernel, stride, padding, dilation, ceilMode);
    const auto inputSize = self.sizes().slice(self.sizes().size() - dims);
    return std::tuple(values, prims::maxPoolOffsetsToIndices(offsets, kernel, inputSize, stride, padding, dilation));
}

Tensor maxPoolBackward(const Tensor& gradOut, const Tensor& given, const Sizes&, const Sizes&, const Sizes&,
                       const Sizes&, bool, const Tensor& places) {
    const bool batched = given.dim() == 4;
    const auto withBatch = [&](const Tensor& t) { return batched ? t : t.unsqueeze(0); };
    const Tensor self = withBatch(given), grad = withBatch(gradOut), indices = withBatch(places);
    const std::int64_t planes = self.size(0) * self.size(1), outputs = grad.size(-2) * grad.size(-1);
    const Dtype type = computationType(grad.scalar_type());
    const Tensor zeros =
        at::zeros({planes, self.size(-2) * self.size(-1)}, at::TensorOptions(type).device(grad.device()));
    const Tensor flat = grad.reshape({planes, outputs}), flatIndices = indices.reshape({planes, outputs});
    Tensor result = at::scatter_add(zeros, 1, flatIndices, cast(flat, type)).reshape(self.sizes());
    result = cast(result, grad.scalar_type()).contiguous(self.suggest_memory_format());
    return batched ? result : result.squeeze(0);
}

}  // namespace

std::vector<DecompositionRow> indexingDecompositions() {
    constexpr std::uint8_t both = kCoreAten | kInductor;
    return {
        {"aten._unsafe_index.Tensor", "index", rule<unsafeIndex>, kCoreAten},
        {"aten._unsafe_index_put.default", "index_put", rule<unsafeIndexPut>, both},
        {"aten._unsafe_masked_index.default", "masked_index", rule<maskedIndex>, kCoreAten},
        {"aten._unsafe_masked_index_put_accumulate.default", "masked_index_put", rule<maskedIndexPut>, kCoreAten},
        {"aten.embedding_dense_backward.default", "embedding_backward", rule<embeddingBackward>, both},
        {"aten.masked_fill.Scalar", "masked_fill", rule<maskedFillScalar>, both},
        {"aten.masked_fill.Tensor", "masked_fill", rule<maskedFillTensor>, both},
        {"aten.index_add.default", "index_add", rule<indexAdd>, kCoreAten},
        {"aten.index_add.default", "index_add", rule<indexAddUnlessNarrow>, kInductor},
        {"aten.index_copy.default", "index_copy", rule<indexCopy>, both},
        {"aten.index_select.default", "index_select", rule<indexSelect>, kInductor},
        {"aten.take.default", "take", rule<take>, both},
        {"aten.max_pool2d_with_indices.default", "max_pool_with_offsets", rule<maxPool<2>>, kInductor},
        {"aten.max_pool3d_with_indices.default", "max_pool_with_offsets", rule<maxPool<3>>, kInductor},
        {"aten.max_pool2d_with_indices_backward.default", "max_pool_backward", rule<maxPoolBackward>, kInductor},
    };
}

}  // namespace aotscope
