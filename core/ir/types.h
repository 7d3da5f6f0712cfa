#pragma once

#include "ir/symbolic.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aotscope {

/// Element types, with the numbers of c10::ScalarType.
enum class DType : std::int8_t {
    u8 = 0,
    i8 = 1,
    i16 = 2,
    i32 = 3,
    i64 = 4,
    f16 = 5,
    f32 = 6,
    f64 = 7,
    c32 = 8,
    c64 = 9,
    c128 = 10,
    b8 = 11,
    qi8 = 12,
    qu8 = 13,
    qi32 = 14,
    bf16 = 15,
    qu4x2 = 16,
    qu2x4 = 17,
    bits1x8 = 18,
    bits2x4 = 19,
    bits4x2 = 20,
    bits8 = 21,
    bits16 = 22,
    f8e5m2 = 23,
    f8e4m3fn = 24,
    f8e5m2fnuz = 25,
    f8e4m3fnuz = 26,
    u16 = 27,
    u32 = 28,
    u64 = 29,
    u1 = 30,
    u2 = 31,
    u3 = 32,
    u4 = 33,
    u5 = 34,
    u6 = 35,
    u7 = 36,
    i1 = 37,
    i2 = 38,
    i3 = 39,
    i4 = 40,
    i5 = 41,
    i6 = 42,
    i7 = 43,
    f8e8m0fnu = 44,
    f4e2m1fnx2 = 45,
};

/// The kind of elements; quantized ones and plain bits are `other`.
enum class DTypeKind : std::uint8_t { integer, real, complex, boolean, other };

DTypeKind kindOf(DType dtype);
/// Whether tensors of this dtype may require grad: real and complex ones.
bool takesGradients(DType dtype);
/// Whether LibTorch computes real or complex numbers in this dtype; those of 8 bits or fewer are only stored.
bool computesReals(DType dtype);
/// The dtype with this number in the schema of torch.export (torch/_export/serde/schema.py), if it is known.
std::optional<DType> dtypeFromExport(std::int64_t number);

/// Short form used in graph annotations: "f32", "b8".
std::string_view shortName(DType dtype);
/// PyTorch's name without the module: "float32", "bool".
std::string_view longName(DType dtype);
/// Accepts either form, with or without a leading "torch.".
std::optional<DType> dtypeFromName(std::string_view name);
std::size_t itemSize(DType dtype);
/// The distance from 1 to the next number; for complex numbers, that of their parts. 1 for exact dtypes.
double epsilonOf(DType dtype);

/// The names of a dtype in files; empty where a format does not have it.
struct DTypeSpellings {
    std::string_view numpy = {};        ///< without the byte order: "f4"
    std::string_view safetensors = {};  ///< "F32"
    std::string_view storage = {};      ///< the prefix of PyTorch's storage class: "Float"
};
const DTypeSpellings& spellingsOf(DType dtype);
std::optional<DType> dtypeSpelled(std::string_view DTypeSpellings::*where, std::string_view text);
/// The dtypes with a name in any file format.
std::vector<DType> dtypesInFiles();

/// "cpu", "cuda:0", ... in PyTorch's spelling.
struct Device {
    std::string name = "cpu";
    bool operator==(const Device&) const = default;
};

/// Numbered like c10::MemoryFormat and c10::Layout.
enum class MemoryFormat : std::int8_t { contiguous = 0, preserve = 1, channelsLast = 2, channelsLast3d = 3 };
enum class Layout : std::int8_t {
    strided = 0,
    sparse = 1,
    sparseCsr = 2,
    mkldnn = 3,
    sparseCsc = 4,
    sparseBsr = 5,
    sparseBsc = 6,
    jagged = 7
};

std::string_view name(MemoryFormat format);
std::string_view name(Layout layout);

/// Metadata of a tensor. With dynamic shapes, the numbers are those of the example inputs and `symbolic` has the
/// expressions.
struct TensorType {
    DType dtype = DType::f32;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;  ///< in elements
    std::int64_t storageOffset = 0;     ///< in elements
    Device device;
    std::int64_t storage = -1;      ///< equal numbers within one graph share memory; -1 unknown
    std::int64_t storageBytes = 0;  ///< size of the whole storage of this tensor
    bool requiresGrad = false;
    std::shared_ptr<const SymbolicLayout> symbolic;  ///< null: sizes, strides and offset are static

    std::int64_t numel() const;
    std::int64_t bytes() const { return numel() * static_cast<std::int64_t>(itemSize(dtype)); }
    /// One past the last element, in elements from the start of the storage; for non-empty tensors.
    std::int64_t end() const;
    bool isContiguous() const;
    /// Whether both have the same sizes and strides for all values of the symbols.
    bool sameLayout(const TensorType& other) const;
    /// The type for other values of the symbols than the example's; storageBytes is not changed.
    TensorType at(const SymbolValues& values) const;
    bool operator==(const TensorType& other) const;
};

/// Contiguous (row-major) strides; a dimension of size 0 counts as 1.
std::vector<std::int64_t> contiguousStrides(const std::vector<std::int64_t>& sizes);

std::vector<SymExpr> contiguousStrides(const std::vector<SymExpr>& sizes);

/// A Python number or boolean in the graph; `hint` is its value during tracing.
struct ScalarType {
    enum class Kind : std::uint8_t { integer, real, boolean } kind = Kind::integer;
    double hint = 0;
    std::optional<SymExpr> expression;  ///< in terms of the symbols, for an integer derived from sizes
    bool operator==(const ScalarType&) const = default;
};

/// Values that are neither tensors nor numbers: a user input, or a result that is not computed.
enum class OtherType : std::uint8_t { none, text, device };

/// "None", "str", "device".
std::string_view name(OtherType type);

struct ValueType;
using TupleType = std::vector<ValueType>;

/// The type of a node's value: unknown (monostate), a tensor, a scalar, another value, or a tuple of these.
struct ValueType {
    std::variant<std::monostate, TensorType, ScalarType, TupleType, OtherType> data;

    const TensorType* tensor() const { return std::get_if<TensorType>(&data); }
    TensorType* tensor() { return std::get_if<TensorType>(&data); }
    const ScalarType* scalar() const { return std::get_if<ScalarType>(&data); }
    const TupleType* tuple() const { return std::get_if<TupleType>(&data); }
    const OtherType* other() const { return std::get_if<OtherType>(&data); }
    /// The tensor, or the first one of a tuple; null without tensors.
    const TensorType* firstTensor() const;
    bool known() const { return !std::holds_alternative<std::monostate>(data); }
    /// Sum over all its tensors, in bytes; shared memory counts twice.
    std::int64_t tensorBytes() const;
    bool operator==(const ValueType&) const = default;
};

}  // namespace aotscope
