#include "load/pickle/pickle_tensors.h"

#include "support/error.h"

#include <c10/core/QScheme.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace aotscope {

namespace {

using Index = PickledValue::Index;
using PickledKind = PickledValue::Kind;

constexpr std::size_t kMostDimensions = 64;
/// A view may have more elements than its storage (an expanded mask); copies of it must still fit.
constexpr std::int64_t kMostExtraBytes = std::int64_t{64} << 20;

at::ScalarType dtypeOf(const PickledValue& value) { return static_cast<at::ScalarType>(value.dtype); }

const PickledValue& itemOf(const PickledValues& values, const PickledValue& tuple, std::size_t i, PickledKind kind) {
    if (i >= tuple.items.size()) throw Error("calls a function with too few values");
    const PickledValue& value = values[tuple.items[i]];
    if (value.kind != kind) throw Error("calls a function with a value of another type");
    return value;
}

/// The integers in a tuple.
std::vector<std::int64_t> numbers(const PickledValues& values, const PickledValue& tuple) {
    if (tuple.items.size() > kMostDimensions) throw Error("holds a tensor of too many dimensions");
    std::vector<std::int64_t> result;
    for (std::size_t i = 0; i < tuple.items.size(); ++i) {
        result.push_back(itemOf(values, tuple, i, PickledKind::integer).number);
        if (result.back() < 0) throw Error("makes a tensor with a negative size or stride");
    }
    return result;
}

/// Whether a tensor is within `bytes`, and does not have many more elements.
bool isInside(std::int64_t bytes, std::int64_t itemSize, std::int64_t offset, const std::vector<std::int64_t>& sizes,
              const std::vector<std::int64_t>& strides) {
    std::int64_t last = offset, elements = 1, shown = 0, needed = 0;
    bool empty = false, possible = offset >= 0;
    for (std::size_t i = 0; i < sizes.size() && possible; ++i) {
        empty = empty || sizes[i] == 0;
        std::int64_t extent = 0;
        possible = !__builtin_mul_overflow(std::max<std::int64_t>(sizes[i] - 1, 0), strides[i], &extent) &&
                   !__builtin_add_overflow(last, extent, &last) &&
                   !__builtin_mul_overflow(elements, std::max<std::int64_t>(sizes[i], 1), &elements);
    }
    possible = possible && !__builtin_mul_overflow(elements, itemSize, &shown) &&
               !__builtin_add_overflow(last, 1, &last) && !__builtin_mul_overflow(last, itemSize, &needed);
    return possible && (empty || (needed <= bytes && shown - bytes <= std::max(kMostExtraBytes, bytes)));
}

/// Scale and zero point are per tensor, or per index of an axis.
void requireQuantizer(const PickledValues& values, const PickledValue& parameters,
                      const std::vector<std::int64_t>& sizes) {
    const auto scheme = static_cast<c10::QScheme>(itemOf(values, parameters, 0, PickledKind::quantizerScheme).number);
    if (scheme == c10::kPerTensorAffine) {
        const double scale = itemOf(values, parameters, 1, PickledKind::real).real;
        const std::int64_t zero = itemOf(values, parameters, 2, PickledKind::integer).number;
        if (!std::isfinite(scale) || scale <= 0 || std::abs(zero) > std::numeric_limits<std::int32_t>::max())
            throw Error("quantizes a tensor with an impossible scale or zero point");
        return;
    }
    if (scheme != c10::kPerChannelAffine && scheme != c10::kPerChannelAffineFloatQParams)
        throw Error("quantizes a tensor in an unknown way");
    const std::int64_t axis = itemOf(values, parameters, 3, PickledKind::integer).number;
    if (axis < 0 || axis >= static_cast<std::int64_t>(sizes.size()))
        throw Error("quantizes a tensor along an axis that it does not have");
    for (std::size_t i : {1u, 2u}) {
        const PickledValue& perChannel = itemOf(values, parameters, i, PickledKind::tensor);
        if (perChannel.items.size() != 1 || values[perChannel.items[0]].number != sizes[static_cast<std::size_t>(axis)])
            throw Error("quantizes a tensor whose numbers of scales and channels differ");
    }
}

/// The conjugate and negative bits of a tensor.
void requireMetadata(const PickledValues& values, const PickledValue& metadata, at::ScalarType dtype) {
    for (std::size_t i = 0; i < metadata.items.size(); i += 2) {
        const PickledValue &key = values[metadata.items[i]], &value = values[metadata.items[i + 1]];
        const bool known = key.kind == PickledKind::text && value.kind == PickledKind::boolean &&
                           (key.text == "neg" || (key.text == "conj" && at::isComplexType(dtype)));
        if (!known) throw Error("marks a tensor in an unknown way");
    }
}

}  // namespace

const PickledValue& pickledArgument(const PickledValues& values, Index arguments, std::size_t i, PickledKind kind) {
    if (values[arguments].kind != PickledKind::tuple) throw Error("calls a function with something other than a tuple");
    return itemOf(values, values[arguments], i, kind);
}

PickledValue pickledStorageType(std::string_view name) {
    PickledValue type;
    type.kind = PickledKind::storageType;
#define AOTSCOPE_STORAGE(ctype, element)                                \
    if (name == #element "Storage") {                                   \
        type.dtype = static_cast<std::int8_t>(at::ScalarType::element); \
        type.number = static_cast<std::int64_t>(sizeof(ctype));         \
    }
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(AOTSCOPE_STORAGE)
#undef AOTSCOPE_STORAGE
    return type;
}

PickledValue rebuiltTensor(const PickledValues& values, Index arguments, bool quantized) {
    const auto argument = [&](std::size_t i, PickledKind kind) -> const PickledValue& {
        return pickledArgument(values, arguments, i, kind);
    };
    const PickledValue& storage = argument(0, PickledKind::storage);
    const at::ScalarType dtype = dtypeOf(storage);
    if (at::isQIntType(dtype) != quantized)
        throw Error("makes a quantized tensor of a storage that is not quantized, or the reverse");
    const auto sizes = numbers(values, argument(2, PickledKind::tuple)),
               strides = numbers(values, argument(3, PickledKind::tuple));
    if (sizes.size() != strides.size()) throw Error("makes a tensor whose numbers of sizes and strides differ");
    if (!isInside(storage.number, static_cast<std::int64_t>(c10::elementSize(dtype)),
                  argument(1, PickledKind::integer).number, sizes, strides))
        throw Error("makes a tensor larger than its storage");
    if (quantized) requireQuantizer(values, argument(4, PickledKind::tuple), sizes);
    argument(quantized ? 5 : 4, PickledKind::boolean);
    const std::size_t usual = quantized ? 7 : 6, count = values[arguments].items.size();
    if (count < usual || count > 7) throw Error("makes a tensor of too few or too many values");
    if (count > usual) requireMetadata(values, argument(6, PickledKind::dict), dtype);
    PickledValue tensor;
    tensor.kind = PickledKind::tensor;
    tensor.dtype = storage.dtype;
    tensor.items = argument(2, PickledKind::tuple).items;
    return tensor;
}

}  // namespace aotscope
