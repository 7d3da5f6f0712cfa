#include "ir/types.h"

#include "support/enumerators.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace aotscope {

namespace {

struct DTypeRow {
    DType dtype;
    std::string_view shortName, longName;
    std::size_t bytes;
    DTypeKind kind;
    std::int64_t exported;  ///< its number in the schema of torch.export; 0 if it has none
    DTypeSpellings spelled;
    int digits = 0;  ///< mantissa bits after the point
};

constexpr std::array kDTypes = {
    DTypeRow{DType::u8, "u8", "uint8", 1, DTypeKind::integer, 1, {"u1", "U8", "Byte"}},
    DTypeRow{DType::i8, "i8", "int8", 1, DTypeKind::integer, 2, {"i1", "I8", "Char"}},
    DTypeRow{DType::i16, "i16", "int16", 2, DTypeKind::integer, 3, {"i2", "I16", "Short"}},
    DTypeRow{DType::i32, "i32", "int32", 4, DTypeKind::integer, 4, {"i4", "I32", "Int"}},
    DTypeRow{DType::i64, "i64", "int64", 8, DTypeKind::integer, 5, {"i8", "I64", "Long"}},
    DTypeRow{DType::f16, "f16", "float16", 2, DTypeKind::real, 6, {"f2", "F16", "Half"}, 10},
    DTypeRow{DType::f32, "f32", "float32", 4, DTypeKind::real, 7, {"f4", "F32", "Float"}, 23},
    DTypeRow{DType::f64, "f64", "float64", 8, DTypeKind::real, 8, {"f8", "F64", "Double"}, 52},
    DTypeRow{DType::c32, "c32", "complex32", 4, DTypeKind::complex, 9, {}, 10},
    DTypeRow{DType::c64, "c64", "complex64", 8, DTypeKind::complex, 10, {"c8", "C64", "ComplexFloat"}, 23},
    DTypeRow{DType::c128, "c128", "complex128", 16, DTypeKind::complex, 11, {"c16", "", "ComplexDouble"}, 52},
    DTypeRow{DType::b8, "b8", "bool", 1, DTypeKind::boolean, 12, {"b1", "BOOL", "Bool"}},
    DTypeRow{DType::qi8, "qi8", "qint8", 1, DTypeKind::other, 0},
    DTypeRow{DType::qu8, "qu8", "quint8", 1, DTypeKind::other, 0},
    DTypeRow{DType::qi32, "qi32", "qint32", 4, DTypeKind::other, 0},
    DTypeRow{DType::bf16, "bf16", "bfloat16", 2, DTypeKind::real, 13, {"", "BF16", "BFloat16"}, 7},
    DTypeRow{DType::qu4x2, "qu4x2", "quint4x2", 1, DTypeKind::other, 0},
    DTypeRow{DType::qu2x4, "qu2x4", "quint2x4", 1, DTypeKind::other, 0},
    DTypeRow{DType::bits1x8, "b1x8", "bits1x8", 1, DTypeKind::other, 0},
    DTypeRow{DType::bits2x4, "b2x4", "bits2x4", 1, DTypeKind::other, 0},
    DTypeRow{DType::bits4x2, "b4x2", "bits4x2", 1, DTypeKind::other, 0},
    DTypeRow{DType::bits8, "b8x1", "bits8", 1, DTypeKind::other, 0},
    DTypeRow{DType::bits16, "b16x1", "bits16", 2, DTypeKind::other, 0},
    DTypeRow{DType::f8e5m2, "f8e5m2", "float8_e5m2", 1, DTypeKind::real, 30, {"", "F8_E5M2"}, 2},
    DTypeRow{DType::f8e4m3fn, "f8e4m3fn", "float8_e4m3fn", 1, DTypeKind::real, 29, {"", "F8_E4M3"}, 3},
    DTypeRow{DType::f8e5m2fnuz, "f8e5m2fnuz", "float8_e5m2fnuz", 1, DTypeKind::real, 32, {"", "F8_E5M2FNUZ"}, 2},
    DTypeRow{DType::f8e4m3fnuz, "f8e4m3fnuz", "float8_e4m3fnuz", 1, DTypeKind::real, 31, {"", "F8_E4M3FNUZ"}, 3},
    DTypeRow{DType::u16, "u16", "uint16", 2, DTypeKind::integer, 28, {"u2", "U16"}},
    DTypeRow{DType::u32, "u32", "uint32", 4, DTypeKind::integer, 34, {"u4", "U32"}},
    DTypeRow{DType::u64, "u64", "uint64", 8, DTypeKind::integer, 35, {"u8", "U64"}},
    // Short forms of these would clash with symbol names: u1.
    DTypeRow{DType::u1, "uint1", "uint1", 1, DTypeKind::integer, 0},
    DTypeRow{DType::u2, "uint2", "uint2", 1, DTypeKind::integer, 0},
    DTypeRow{DType::u3, "uint3", "uint3", 1, DTypeKind::integer, 0},
    DTypeRow{DType::u4, "uint4", "uint4", 1, DTypeKind::integer, 0},
    DTypeRow{DType::u5, "uint5", "uint5", 1, DTypeKind::integer, 0},
    DTypeRow{DType::u6, "uint6", "uint6", 1, DTypeKind::integer, 0},
    DTypeRow{DType::u7, "uint7", "uint7", 1, DTypeKind::integer, 0},
    DTypeRow{DType::i1, "int1", "int1", 1, DTypeKind::integer, 0},
    DTypeRow{DType::i2, "int2", "int2", 1, DTypeKind::integer, 0},
    DTypeRow{DType::i3, "int3", "int3", 1, DTypeKind::integer, 0},
    DTypeRow{DType::i4, "int4", "int4", 1, DTypeKind::integer, 0},
    DTypeRow{DType::i5, "int5", "int5", 1, DTypeKind::integer, 0},
    DTypeRow{DType::i6, "int6", "int6", 1, DTypeKind::integer, 0},
    DTypeRow{DType::i7, "int7", "int7", 1, DTypeKind::integer, 0},
    DTypeRow{DType::f8e8m0fnu, "f8e8m0fnu", "float8_e8m0fnu", 1, DTypeKind::real, 33, {"", "F8_E8M0"}, 0},
    DTypeRow{DType::f4e2m1fnx2, "f4e2m1fnx2", "float4_e2m1fn_x2", 1, DTypeKind::real, 0, {}, 1},
};

const DTypeRow& row(DType dtype) {
    return *std::find_if(kDTypes.begin(), kDTypes.end() - 1, [&](const DTypeRow& r) { return r.dtype == dtype; });
}

}  // namespace

std::string_view shortName(DType dtype) { return row(dtype).shortName; }
std::string_view longName(DType dtype) { return row(dtype).longName; }
std::size_t itemSize(DType dtype) { return row(dtype).bytes; }
DTypeKind kindOf(DType dtype) { return row(dtype).kind; }
bool takesGradients(DType dtype) { return kindOf(dtype) == DTypeKind::real || kindOf(dtype) == DTypeKind::complex; }
bool computesReals(DType dtype) { return row(dtype).digits > 3; }
double epsilonOf(DType dtype) { return std::ldexp(1, -row(dtype).digits); }
const DTypeSpellings& spellingsOf(DType dtype) { return row(dtype).spelled; }

std::optional<DType> dtypeSpelled(std::string_view DTypeSpellings::*where, std::string_view text) {
    for (const auto& r : kDTypes)
        if (!text.empty() && r.spelled.*where == text) return r.dtype;
    return std::nullopt;
}

std::vector<DType> dtypesInFiles() {
    std::vector<DType> found;
    for (const auto& r : kDTypes)
        if (!r.spelled.numpy.empty() || !r.spelled.safetensors.empty()) found.push_back(r.dtype);
    return found;
}

std::optional<DType> dtypeFromExport(std::int64_t number) {
    for (const auto& r : kDTypes)
        if (r.exported != 0 && r.exported == number) return r.dtype;
    return std::nullopt;
}

std::optional<DType> dtypeFromName(std::string_view name) {
    if (name.starts_with("torch.")) name.remove_prefix(6);
    for (const auto& r : kDTypes)
        if (r.shortName == name || r.longName == name) return r.dtype;
    if (name == "float") return DType::f32;
    if (name == "double") return DType::f64;
    if (name == "half") return DType::f16;
    if (name == "long") return DType::i64;
    if (name == "int") return DType::i32;
    if (name == "b16") return DType::bits16;  // the spelling of PyTorch 2.8
    return std::nullopt;
}

std::string_view name(MemoryFormat format) {
    using enum MemoryFormat;
    return textFor(format, {{contiguous, "contiguous_format"},
                            {preserve, "preserve_format"},
                            {channelsLast, "channels_last"},
                            {channelsLast3d, "channels_last_3d"}});
}

std::string_view name(OtherType type) {
    using enum OtherType;
    return textFor(type, {{none, "None"}, {text, "str"}, {device, "device"}});
}

std::string_view name(Layout layout) {
    if (layout == Layout::sparse) return "sparse_coo";
    return layout == Layout::mkldnn ? "_mkldnn" : spelled<'_'>(layout);
}

namespace {

/// Files may contain absurd sizes: a product beyond any tensor becomes a number that can still be multiplied by an item
/// size and added to others.
std::int64_t times(std::int64_t a, std::int64_t b) {
    constexpr std::int64_t most = std::int64_t{1} << 52;
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? most : std::clamp(product, -most, most);
}

}  // namespace

std::int64_t TensorType::numel() const {
    std::int64_t n = 1;
    for (auto size : sizes) n = times(n, size);
    return n;
}

std::int64_t TensorType::end() const {
    std::int64_t last = storageOffset;
    for (std::size_t i = 0; i < sizes.size(); ++i) last += (sizes[i] - 1) * strides[i];
    return last + 1;
}

const TensorType* ValueType::firstTensor() const {
    if (const auto* elements = tuple())
        for (const ValueType& element : *elements)
            if (element.tensor()) return element.tensor();
    return tensor();
}

std::int64_t ValueType::tensorBytes() const {
    if (const auto* one = tensor()) return one->bytes();
    std::int64_t total = 0;
    if (const auto* elements = tuple())
        for (const ValueType& element : *elements) total += element.tensorBytes();
    return total;
}

namespace {

bool sameSymbols(const TensorType& a, const TensorType& b) {
    return a.symbolic == b.symbolic || (a.symbolic && b.symbolic && *a.symbolic == *b.symbolic);
}

std::vector<std::int64_t> evaluateAll(const std::vector<SymExpr>& expressions, const SymbolValues& values) {
    std::vector<std::int64_t> numbers;
    for (const SymExpr& e : expressions) numbers.push_back(e.evaluate(values));
    return numbers;
}

}  // namespace

bool TensorType::sameLayout(const TensorType& other) const {
    return sizes == other.sizes && strides == other.strides && sameSymbols(*this, other);
}

TensorType TensorType::at(const SymbolValues& values) const {
    TensorType type = *this;
    if (!symbolic) return type;
    type.sizes = evaluateAll(symbolic->sizes, values);
    type.strides = evaluateAll(symbolic->strides, values);
    type.storageOffset = symbolic->storageOffset.evaluate(values);
    type.symbolic = nullptr;
    return type;
}

bool TensorType::operator==(const TensorType& other) const {
    return dtype == other.dtype && sizes == other.sizes && strides == other.strides &&
           storageOffset == other.storageOffset && device == other.device && storage == other.storage &&
           storageBytes == other.storageBytes && requiresGrad == other.requiresGrad && sameSymbols(*this, other);
}

bool TensorType::isContiguous() const {
    if (numel() == 0) return true;
    if (strides.size() != sizes.size()) return false;  // those of a printed tensor may be unknown
    std::int64_t expected = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        if (sizes[i] == 1) continue;
        if (strides[i] != expected) return false;
        expected = times(expected, sizes[i]);
    }
    return true;
}

std::vector<std::int64_t> contiguousStrides(const std::vector<std::int64_t>& sizes) {
    std::vector<std::int64_t> strides(sizes.size());
    std::int64_t next = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        strides[i] = next;
        next = times(next, std::max<std::int64_t>(sizes[i], 1));
    }
    return strides;
}

std::vector<SymExpr> contiguousStrides(const std::vector<SymExpr>& sizes) {
    std::vector<SymExpr> strides(sizes.size());
    SymExpr next = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        strides[i] = next;
        if (!(sizes[i].isNumber() && sizes[i].number() == 0)) next = next * sizes[i];
    }
    return strides;
}

}  // namespace aotscope
