#include "aten/dispatch_mode.h"
#include "ops/decompositions/decomposition_support.h"
#include "ops/prims.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_permuted.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>

namespace aotscope {

namespace {

using namespace rules;

using Type = std::optional<Dtype>;
using MaybeLayout = std::optional<at::Layout>;
using MaybeDevice = std::optional<at::Device>;
using Pinned = std::optional<bool>;
using Format = std::optional<at::MemoryFormat>;

at::TensorOptions options(Type type, MaybeLayout layout, MaybeDevice device, Pinned pinned) {
    return at::TensorOptions().dtype(type).layout(layout).device(device).pinned_memory(pinned);
}
at::TensorOptions optionsOf(const Tensor& like, Type type, MaybeLayout layout, MaybeDevice device, Pinned pinned) {
    return options(type.value_or(like.scalar_type()), layout.value_or(at::kStrided), device.value_or(like.device()),
                   pinned);
}
/// Zero or one, as a boolean for a boolean tensor.
Scalar unit(Dtype type, bool one) { return type == at::kBool ? Scalar(one) : Scalar(one ? 1 : 0); }
Dtype defaultType() { return at::typeMetaToScalarType(at::get_default_dtype()); }

template <bool one>
Tensor constant(const Sizes& sizes, Type type, MaybeLayout layout, MaybeDevice device, Pinned pinned) {
    const Dtype made = type.value_or(defaultType());
    return at::full(sizes, unit(made, one), options(made, layout, device, pinned));
}
template <bool one>
Tensor constantLike(const Tensor& a, Type type, MaybeLayout layout, MaybeDevice device, Pinned pinned, Format format) {
    return at::full_like(a, unit(type.value_or(a.scalar_type()), one), options(type, layout, device, pinned), format);
}
template <bool one>
Tensor newConstant(const Tensor& a, const Sizes& sizes, Type type, MaybeLayout layout, MaybeDevice device,
                   Pinned pinned) {
    return at::full(sizes, unit(type.value_or(a.scalar_type()), one), optionsOf(a, type, layout, device, pinned));
}
Tensor newFull(const Tensor& a, const Sizes& sizes, const Scalar& value, Type type, MaybeLayout layout,
               MaybeDevice device, Pinned pinned) {
    return at::full(sizes, value, optionsOf(a, type, layout, device, pinned));
}
Tensor newEmpty(const Tensor& a, const Sizes& sizes, Type type, MaybeLayout layout, MaybeDevice device, Pinned pinned) {
    return at::empty(sizes, optionsOf(a, type, layout, device, pinned));
}

Tensor fillScalar(const Tensor& a, const Scalar& value) { return at::full_like(a, value); }
Tensor fillTensor(const Tensor& a, const Tensor& value) { return at::copy(a, value); }
Tensor zero(const Tensor& a) { return at::full_like(a, unit(a.scalar_type(), false)); }

std::optional<Tensor> fullOfNumber(const Sizes& sizes, const Scalar& value, Type type, MaybeLayout layout,
                                   MaybeDevice device, Pinned pinned) {
    if (type) return std::nullopt;
    const Dtype made = value.isFloatingPoint() ? defaultType() : value.type();
    return at::full(sizes, value, options(made, layout, device, pinned));
}

/// Applies `make` to the sizes of `a` in memory order, and gives the result the strides of `a`.
template <typename Make>
Tensor inOrderOf(const Tensor& a, Format format, Make&& make) {
    const at::MemoryFormat wanted = format.value_or(at::MemoryFormat::Preserve);
    if (wanted != at::MemoryFormat::Preserve) {
        const Tensor made = make(a.sizes().vec());
        return made.to(made.scalar_type(), false, false, wanted);
    }
    const Sizes order = physicalOrder(a);
    Sizes sizes, inverse(order.size());
    bool inPlace = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto dim = static_cast<std::size_t>(order[i]);
        sizes.push_back(a.size(order[i]));
        inverse[dim] = static_cast<std::int64_t>(i);
        inPlace = inPlace && dim == i;
    }
    const Tensor made = make(sizes);
    return inPlace ? made : at::clone(at::permute(made, inverse));
}

Tensor fullLike(const Tensor& a, const Scalar& value, Type type, MaybeLayout layout, MaybeDevice device, Pinned pinned,
                Format format) {
    return inOrderOf(a, format, [&](const Sizes& sizes) {
        return at::full(sizes, value, optionsOf(a, type, layout, device, pinned));
    });
}
Tensor randLike(const Tensor& a, Type type, MaybeLayout layout, MaybeDevice device, Pinned pinned, Format format) {
    return inOrderOf(a, format,
                     [&](const Sizes& sizes) { return at::rand(sizes, optionsOf(a, type, layout, device, pinned)); });
}
Tensor randnLike(const Tensor& a, Type type, MaybeLayout layout, MaybeDevice device, Pinned pinned, Format format) {
    return inOrderOf(a, format,
                     [&](const Sizes& sizes) { return at::randn(sizes, optionsOf(a, type, layout, device, pinned)); });
}
Tensor emptyLike(const Tensor& a, Type type, MaybeLayout layout, MaybeDevice device, Pinned pinned, Format format) {
    const at::TensorOptions made = optionsOf(a, type, layout, device, pinned);
    if (format.value_or(at::MemoryFormat::Preserve) != at::MemoryFormat::Preserve)
        return at::empty(a.sizes(), made, format);
    return at::empty_permuted(a.sizes(), physicalOrder(a), made);
}
std::optional<Tensor> emptyPermuted(const Sizes& sizes, const Sizes& layout, Type type, MaybeLayout l,
                                    MaybeDevice device, Pinned pinned) {
    Sizes physical, inverse(layout.size());
    for (std::size_t i = 0; i < layout.size(); ++i) {
        physical.push_back(sizes[static_cast<std::size_t>(layout[i])]);
        inverse[static_cast<std::size_t>(layout[i])] = static_cast<std::int64_t>(i);
    }
    const Tensor made = at::empty(physical, options(type, l, device, pinned));
    return std::is_sorted(layout.begin(), layout.end()) ? made : at::permute(made, inverse);
}

Tensor arangeTo(const Scalar& end, Type type, MaybeLayout layout, MaybeDevice device, Pinned pinned) {
    return at::arange(0, end, 1, options(type, layout, device, pinned));
}
Tensor arangeBetween(const Scalar& start, const Scalar& end, Type type, MaybeLayout layout, MaybeDevice device,
                     Pinned pinned) {
    return at::arange(start, end, 1, options(type, layout, device, pinned));
}

/// LibTorch's own element count: 2.14 changed it for 64-bit integers.
std::int64_t arangeLength(const Scalar& start, const Scalar& end, const Scalar& step, Dtype type) {
    const PlainKernelScope plain;
    return at::arange(start, end, step, at::TensorOptions(type).device(at::kMeta)).numel();
}

Tensor arangeByStep(const Scalar& start, const Scalar& end, const Scalar& step, Type type, MaybeLayout,
                    MaybeDevice device, Pinned) {
    const at::Device where = device.value_or(at::kCPU);
    const bool integers = start.isIntegral(true) && end.isIntegral(true) && step.isIntegral(true);
    const Dtype made = type.value_or(integers ? at::kLong : defaultType());
    const std::int64_t length = arangeLength(start, end, step, made);
    if (at::isIntegralType(made, /*includeBool=*/false))
        return prims::iota(length, start.to<std::int64_t>(), step.to<std::int64_t>(), made, where);
    // The accumulation type of kernels.
    const Dtype wide = where.is_cpu() ? at::kDouble : computationType(made);
    const Tensor index = cast(prims::iota(length, 0, 1, at::kLong, where), integers ? at::kLong : wide);
    return cast(plus(start, times(step, index)), made);
}

/// Row minus column for every element of a matrix.
Tensor distanceToDiagonal(const Tensor& a) {
    return minus(arange(a.size(-1), a).unsqueeze(-2), arange(a.size(-2), a).unsqueeze(-1));
}
Tensor masked(const Tensor& mask, const Tensor& a) {
    return (a.scalar_type() == at::kBool ? mask.logical_and(a) : choose(mask, a, Scalar(0))).contiguous();
}
Tensor tril(const Tensor& a, std::int64_t diagonal) { return masked(distanceToDiagonal(a).le(diagonal), a); }
Tensor triu(const Tensor& a, std::int64_t diagonal) { return masked(distanceToDiagonal(a).ge(diagonal), a); }

}  // namespace

std::vector<DecompositionRow> creationDecompositions() {
    constexpr std::uint8_t both = kCoreAten | kInductor;
    return {
        {"aten.zeros.default", "full", rule<constant<false>>, both},
        {"aten.ones.default", "full", rule<constant<true>>, both},
        {"aten.zeros_like.default", "full_like", rule<constantLike<false>>, both},
        {"aten.ones_like.default", "full_like", rule<constantLike<true>>, both},
        {"aten.new_zeros.default", "full", rule<newConstant<false>>, both},
        {"aten.new_ones.default", "full", rule<newConstant<true>>, both},
        {"aten.new_full.default", "full", rule<newFull>, both},
        {"aten.new_empty.default", "empty", rule<newEmpty>, both},
        {"aten.fill.Scalar", "full_like", rule<fillScalar>, both},
        {"aten.fill.Tensor", "copy", rule<fillTensor>, both},
        {"aten.zero.default", "full_like", rule<zero>, both},
        {"aten.full.default", "full", rule<fullOfNumber>, kInductor},
        {"aten.full_like.default", "full_in_order", rule<fullLike>, kInductor},
        {"aten.rand_like.default", "rand_in_order", rule<randLike>, kInductor},
        {"aten.randn_like.default", "randn_in_order", rule<randnLike>, kInductor},
        {"aten.empty_like.default", "empty_in_order", rule<emptyLike>, both},
        {"aten.empty_permuted.default", "empty_permuted", rule<emptyPermuted>, kInductor},
        {"aten.arange.default", "arange", rule<arangeTo>, both},
        {"aten.arange.start", "arange", rule<arangeBetween>, both},
        {"aten.arange.start_step", "iota", rule<arangeByStep>, kInductor},
        {"aten.tril.default", "tril", rule<tril>, both},
        {"aten.triu.default", "triu", rule<triu>, both},
    };
}

}  // namespace aotscope
