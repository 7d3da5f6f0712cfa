#include "ops/decompositions/decomposition_support.h"

#include <ATen/ops/alias.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/slice_scatter.h>
#include <ATen/ops/split.h>
#include <ATen/ops/split_with_sizes.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/tensor_split.h>

#include <algorithm>
#include <numeric>

namespace aotscope {

namespace {

using namespace rules;

Tensor transpose(const Tensor& a, std::int64_t dim0, std::int64_t dim1) {
    if (a.dim() <= 1 || dim0 == dim1) return at::alias(a);
    Sizes order(static_cast<std::size_t>(a.dim()));
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[static_cast<std::size_t>(wrapDim(dim0, a.dim()))],
              order[static_cast<std::size_t>(wrapDim(dim1, a.dim()))]);
    return at::permute(a, order);
}
Tensor t(const Tensor& a) { return a.transpose(0, a.dim() < 2 ? 0 : 1); }

Tensor squeezeAll(const Tensor& a) {
    Sizes dims(static_cast<std::size_t>(a.dim()));
    std::iota(dims.begin(), dims.end(), 0);
    return at::squeeze(a, dims);
}
Tensor squeezeDim(const Tensor& a, std::int64_t dim) { return at::squeeze(a, at::IntArrayRef{dim}); }

Tensor unsafeView(const Tensor& a, const Sizes& sizes) { return a.view(sizes); }
Tensor reshapeAlias(const Tensor& a, const Sizes& sizes, const Sizes&) { return a.view(sizes); }
Tensor alias(const Tensor& a) { return at::alias(a); }

std::vector<Tensor> split(const Tensor& a, std::int64_t size, std::int64_t dim) {
    const std::int64_t length = a.size(dim);
    if (length == 0) return {at::alias(a)};
    const std::int64_t count = (length + size - 1) / size;
    Sizes sizes(static_cast<std::size_t>(count), size);
    sizes.back() = length - size * (count - 1);
    return at::split_with_sizes(a, sizes, dim);
}
std::vector<Tensor> unsafeSplit(const Tensor& a, std::int64_t size, std::int64_t dim) {
    return at::split(a, size, dim);
}
std::vector<Tensor> unsafeSplitWithSizes(const Tensor& a, const Sizes& sizes, std::int64_t dim) {
    return at::split_with_sizes(a, sizes, dim);
}
std::vector<Tensor> unbind(const Tensor& a, std::int64_t dim) {
    std::vector<Tensor> parts;
    if (a.size(dim) == 0) return parts;
    for (const Tensor& part : at::tensor_split(a, a.size(dim), dim)) parts.push_back(at::squeeze(part, dim));
    return parts;
}

Tensor stack(const std::vector<Tensor>& tensors, std::int64_t dim) {
    const Tensor& first = tensors.front();
    const std::int64_t place = wrapDim(dim, first.dim() + 1);
    if (place < first.dim()) {
        Sizes sizes = first.sizes().vec();
        sizes.insert(sizes.begin() + place, static_cast<std::int64_t>(tensors.size()));
        return at::cat(tensors, place).view(sizes);
    }
    std::vector<Tensor> rows;
    for (const Tensor& tensor : tensors) rows.push_back(tensor.unsqueeze(place));
    return at::cat(rows, place);
}

/// A concatenation is dense, whatever the layout of its parts.
Tensor denseCopy(const Tensor& a, at::MemoryFormat format) {
    return a.is_contiguous(format) ? at::clone(a) : at::clone(a, format);
}

/// Skips empty tensors, and handles what then needs no concatenation.
std::optional<Tensor> cat(const std::vector<Tensor>& tensors, std::int64_t dim) {
    std::vector<Tensor> filled;
    for (const Tensor& tensor : tensors) {
        const bool empty = (tensor.dim() == 1 && tensor.size(0) == 0) || (dim < tensor.dim() && tensor.size(dim) == 0);
        if (!empty) filled.push_back(tensor);
    }
    if (filled.size() == 1) {
        Tensor one = filled.front();
        at::ScalarType type = one.scalar_type();
        for (const Tensor& tensor : tensors) type = c10::promoteTypes(type, tensor.scalar_type());
        return denseCopy(cast(one, type), one.suggest_memory_format());
    }
    if (filled.size() > 1 && filled.size() < tensors.size()) return at::cat(filled, dim);
    const bool repeated = filled.size() > 1 && std::all_of(filled.begin(), filled.end(), [&](const Tensor& tensor) {
                              return tensor.is_same(filled.front());
                          });
    if (!repeated) return std::nullopt;
    const Tensor& one = filled.front();
    const std::int64_t place = wrapDim(dim, one.dim());
    Sizes sizes = one.sizes().vec();
    sizes.insert(sizes.begin() + place, static_cast<std::int64_t>(filled.size()));
    return denseCopy(one.unsqueeze(place).expand(sizes).flatten(place, place + 1), one.suggest_memory_format());
}

Tensor selectBackward(const Tensor& grad, const Sizes& sizes, std::int64_t dim, std::int64_t index) {
    return grad.new_zeros(sizes).select_scatter(grad, dim, index);
}
Tensor sliceBackward(const Tensor& grad, const Sizes& sizes, std::int64_t dim, std::int64_t start, std::int64_t end,
                     std::int64_t step) {
    return at::slice_scatter(grad.new_zeros(sizes), grad, dim, start, end, step);
}
Tensor diagonalBackward(const Tensor& grad, const Sizes& sizes, std::int64_t offset, std::int64_t dim1,
                        std::int64_t dim2) {
    return grad.new_zeros(sizes).diagonal_scatter(grad, offset, dim1, dim2);
}

Tensor selectScatter(const Tensor& self, const Tensor& source, std::int64_t dim, std::int64_t index) {
    const std::int64_t place = wrapDim(dim, self.dim());
    Sizes shape(static_cast<std::size_t>(self.dim()), 1);
    shape[static_cast<std::size_t>(place)] = -1;
    const std::int64_t wanted = index < 0 ? index + self.size(place) : index;
    const Tensor mask = arange(self.size(place), self).view(shape).eq(wanted);
    return choose(mask, source.unsqueeze(place).expand(self.sizes()), self);
}

Tensor expandCopy(const Tensor& a, const Sizes& sizes, bool implicit) { return at::clone(a.expand(sizes, implicit)); }
Tensor aliasCopy(const Tensor& a) { return at::clone(a); }
Tensor unsqueezeCopy(const Tensor& a, std::int64_t dim) { return at::clone(a.unsqueeze(dim)); }
Tensor permuteCopy(const Tensor& a, const Sizes& dims) { return at::clone(a.permute(dims)); }
Tensor transposeCopy(const Tensor& a, std::int64_t dim0, std::int64_t dim1) {
    return at::clone(a.transpose(dim0, dim1));
}

Tensor pixelShuffle(const Tensor& a, std::int64_t factor) {
    const std::int64_t batch = a.dim() - 3, height = a.size(-2), width = a.size(-1);
    Sizes outer = a.sizes().slice(0, static_cast<std::size_t>(batch)).vec();
    outer.push_back(a.size(-3) / (factor * factor));
    Sizes parts = outer, result = outer, order(static_cast<std::size_t>(batch));
    parts.insert(parts.end(), {factor, factor, height, width});
    result.insert(result.end(), {height * factor, width * factor});
    std::iota(order.begin(), order.end(), 0);
    for (const std::int64_t d : {0, 3, 1, 4, 2}) order.push_back(batch + d);
    return at::clone(a.view(parts).permute(order).reshape(result), a.suggest_memory_format());
}
Tensor pixelUnshuffle(const Tensor& a, std::int64_t factor) {
    const std::int64_t batch = a.dim() - 3, height = a.size(-2) / factor, width = a.size(-1) / factor;
    Sizes parts = a.sizes().slice(0, static_cast<std::size_t>(batch)).vec(), result = parts;
    Sizes order(static_cast<std::size_t>(batch));
    parts.insert(parts.end(), {a.size(-3), height, factor, width, factor});
    result.insert(result.end(), {a.size(-3) * factor * factor, height, width});
    std::iota(order.begin(), order.end(), 0);
    for (const std::int64_t d : {0, 2, 4, 1, 3}) order.push_back(batch + d);
    return at::clone(a.view(parts).permute(order).reshape(result), a.suggest_memory_format());
}
Tensor channelShuffle(const Tensor& a, std::int64_t groups) {
    if (a.numel() == 0) return a.view(a.sizes());
    Sizes parts = {a.size(0), groups, a.size(1) / groups};
    parts.insert(parts.end(), a.sizes().begin() + 2, a.sizes().end());
    return a.reshape(parts).transpose(1, 2).reshape(a.sizes()).contiguous();
}

}  // namespace

std::vector<DecompositionRow> viewDecompositions() {
    constexpr std::uint8_t both = kCoreAten | kInductor;
    return {
        {"aten.t.default", "t", rule<t>, both},
        {"aten.transpose.int", "transpose", rule<transpose>, both},
        {"aten.squeeze.default", "squeeze", rule<squeezeAll>, kCoreAten},
        {"aten.squeeze.dim", "squeeze", rule<squeezeDim>, kCoreAten},
        {"aten._unsafe_view.default", "view", rule<unsafeView>, both},
        {"aten._reshape_alias.default", "view", rule<reshapeAlias>, both},
        {"aten.detach.default", "alias", rule<alias>, both},
        {"aten.lift.default", "alias", rule<alias>, kInductor},
        {"aten.split.Tensor", "split", rule<split>, kCoreAten},
        {"aten.unsafe_split.Tensor", "split", rule<unsafeSplit>, both},
        {"aten.unsafe_split_with_sizes.default", "split", rule<unsafeSplitWithSizes>, both},
        {"aten.unbind.int", "unbind", rule<unbind>, kCoreAten},
        {"aten.stack.default", "stack", rule<stack>, both},
        {"aten.cat.default", "cat", rule<cat>, kInductor},
        {"aten.select_backward.default", "select_backward", rule<selectBackward>, both},
        {"aten.slice_backward.default", "slice_backward", rule<sliceBackward>, both},
        {"aten.diagonal_backward.default", "diagonal_backward", rule<diagonalBackward>, both},
        {"aten.select_scatter.default", "select_scatter", rule<selectScatter>, kCoreAten},
        {"aten.expand_copy.default", "copy_of_view", rule<expandCopy>, both},
        {"aten.alias_copy.default", "copy_of_view", rule<aliasCopy>, both},
        {"aten.unsqueeze_copy.default", "copy_of_view", rule<unsqueezeCopy>, both},
        {"aten.permute_copy.default", "copy_of_view", rule<permuteCopy>, kInductor},
        {"aten.transpose_copy.int", "copy_of_view", rule<transposeCopy>, both},
        {"aten.pixel_shuffle.default", "pixel_shuffle", rule<pixelShuffle>, both},
        {"aten.pixel_unshuffle.default", "pixel_unshuffle", rule<pixelUnshuffle>, both},
        {"aten.channel_shuffle.default", "channel_shuffle", rule<channelShuffle>, both},
    };
}

}  // namespace aotscope
