#include "aten/convert.h"

#include "support/error.h"

#include <ATen/ScalarOps.h>
#include <ATen/core/jit_type.h>

namespace aotscope {

namespace {

static_assert(static_cast<int>(DType::f32) == static_cast<int>(at::ScalarType::Float));
static_assert(static_cast<int>(DType::b8) == static_cast<int>(at::ScalarType::Bool));
static_assert(static_cast<int>(DType::bf16) == static_cast<int>(at::ScalarType::BFloat16));
static_assert(static_cast<int>(DType::f8e4m3fnuz) == static_cast<int>(at::ScalarType::Float8_e4m3fnuz));
static_assert(static_cast<int>(DType::u64) == static_cast<int>(at::ScalarType::UInt64));
static_assert(static_cast<int>(DType::f4e2m1fnx2) == static_cast<int>(at::ScalarType::Float4_e2m1fn_x2));
static_assert(static_cast<int>(MemoryFormat::channelsLast3d) == static_cast<int>(at::MemoryFormat::ChannelsLast3d));
static_assert(static_cast<int>(Layout::sparseBsc) == static_cast<int>(at::Layout::SparseBsc));

using Kind = c10::TypeKind;

/// Higher-order operators have no overloads.
constexpr std::string_view kHigherOrder = "higher_order.";

template <typename List, typename Convert>
Argument listArgument(const List& list, Convert&& convert) {
    Argument::List elements;
    for (const auto& element : list) elements.push_back(convert(element));
    return elements;
}

Argument scalarArgument(const c10::Scalar& scalar) {
    if (scalar.isBoolean()) return scalar.toBool();
    if (scalar.isIntegral(false)) return scalar.toLong();
    if (scalar.isComplex()) {
        const auto c = scalar.toComplexDouble();
        return std::complex<double>(c.real(), c.imag());
    }
    return scalar.toDouble();
}

}  // namespace

DType toDType(at::ScalarType type) { return static_cast<DType>(type); }
at::ScalarType toScalarType(DType type) { return static_cast<at::ScalarType>(type); }
Device toDevice(c10::Device device) { return {device.str()}; }

TensorType typeOf(const at::Tensor& tensor) {
    TensorType type;
    type.dtype = toDType(tensor.scalar_type());
    type.sizes = tensor.sizes().vec();
    type.device = toDevice(tensor.device());
    if (tensor.layout() == at::kStrided) {
        type.strides = tensor.strides().vec();
        type.storageOffset = tensor.storage_offset();
        type.storageBytes = static_cast<std::int64_t>(tensor.unsafeGetTensorImpl()->unsafe_storage().nbytes());
    } else {
        type.strides = contiguousStrides(type.sizes);
    }
    return type;
}

std::string graphName(const c10::OperatorName& name) {
    std::string text = name.name;
    if (const auto colons = text.find("::"); colons != std::string::npos) text.replace(colons, 2, ".");
    if (text.starts_with(kHigherOrder)) return text;
    return text + "." + (name.overload_name.empty() ? "default" : name.overload_name);
}

c10::OperatorName operatorName(const std::string& graphName) {
    if (graphName.starts_with(kHigherOrder)) return {"higher_order::" + graphName.substr(kHigherOrder.size()), ""};
    const auto first = graphName.find('.'), last = graphName.find('.', first + 1);
    if (first == std::string::npos || last == std::string::npos)
        throw Error("'" + graphName + "' is not an operation; expected a name such as aten.add.Tensor");
    std::string overload = graphName.substr(last + 1);
    if (overload == "default") overload.clear();
    return {graphName.substr(0, first) + "::" + graphName.substr(first + 1, last - first - 1), overload};
}

const c10::Type& withoutOptional(const c10::Type& type) {
    const auto* optional = type.castRaw<c10::OptionalType>();
    return optional ? *optional->getElementType() : type;
}

Argument toArgument(const c10::IValue& value, const c10::Type& declared,
                    const std::function<Argument(const at::Tensor&)>& node) {
    const c10::Type& type = withoutOptional(declared);
    if (value.isNone()) return {};
    if (value.isTensor()) return value.toTensor().defined() ? node(value.toTensor()) : Argument();
    if (value.isInt()) {
        if (type.kind() == Kind::ScalarTypeType) return toDType(value.toScalarType());
        if (type.kind() == Kind::LayoutType) return static_cast<Layout>(value.toLayout());
        if (type.kind() == Kind::MemoryFormatType) return static_cast<MemoryFormat>(value.toMemoryFormat());
        return value.toInt();
    }
    if (value.isDouble()) return value.toDouble();
    if (value.isBool()) return value.toBool();
    if (value.isComplexDouble()) return scalarArgument(value.toScalar());
    if (value.isString()) return value.toStringRef();
    if (value.isDevice()) return toDevice(value.toDevice());
    if (value.isGenerator() || value.isCapsule()) return {};  // a capsule stands for a graph that is set later
    if (value.isTensorList())
        return listArgument(value.toTensorVector(),
                            [&](const at::Tensor& t) { return t.defined() ? node(t) : Argument(); });
    if (value.isOptionalTensorList())
        return listArgument(value.toOptionalTensorVector(), [&](const std::optional<at::Tensor>& t) {
            return t && t->defined() ? node(*t) : Argument();
        });
    if (value.isList()) {
        const c10::Type& element =
            type.kind() == Kind::ListType ? *type.castRaw<c10::ListType>()->getElementType() : type;
        return listArgument(value.toListRef(), [&](const c10::IValue& v) { return toArgument(v, element, node); });
    }
    throw Error("an operation takes a value of type '" + value.tagKind() + "', which a graph cannot hold");
}

namespace {

[[noreturn]] void unfit(const std::string& found, const c10::Type& type) {
    throw Error("expected " + type.repr_str() + ", found " + found);
}

bool isWhole(const c10::Type& type) { return type.kind() == Kind::IntType || type.kind() == Kind::SymIntType; }
bool isReal(const c10::Type& type) { return type.kind() == Kind::FloatType || type.kind() == Kind::SymFloatType; }
bool isTruth(const c10::Type& type) { return type.kind() == Kind::BoolType || type.kind() == Kind::SymBoolType; }

/// A number as a value of `type`: as a tensor, it does not take part in type promotion.
c10::IValue numberValue(const at::Scalar& number, const c10::Type& type) {
    switch (type.kind()) {
        case Kind::StringType:
        case Kind::DeviceObjType:
        case Kind::ListType:
        case Kind::GeneratorType: unfit("a number", type);
        case Kind::TensorType: return wrappedNumber(number);
        default: break;
    }
    if (isReal(type) && !number.isComplex()) return number.toDouble();
    if (isTruth(type) && number.isIntegral(/*includeBool=*/true)) return number.toLong() != 0;
    if (isWhole(type) && number.isBoolean()) return static_cast<std::int64_t>(number.toBool());
    if (number.isComplex() && (isReal(type) || isWhole(type) || isTruth(type))) unfit("a complex number", type);
    if (number.isFloatingPoint() && (isWhole(type) || isTruth(type))) unfit("a float", type);
    return number;
}

template <typename T>
c10::IValue typedList(const Argument::List& list, const c10::Type& element) {
    c10::List<T> typed;
    for (const auto& a : list) typed.push_back(a.node() ? T{} : toIValue(a, element).to<T>());
    return typed;
}

c10::IValue listValue(const Argument::List& list, const c10::Type& type) {
    const bool any = type.kind() == Kind::AnyType;
    if (!any && type.kind() != Kind::ListType) unfit("a list", type);
    const c10::TypePtr element = any ? c10::AnyType::get() : type.castRaw<c10::ListType>()->getElementType();
    switch (element->kind()) {
        case Kind::IntType:
        case Kind::SymIntType: return typedList<int64_t>(list, *element);
        case Kind::FloatType: return typedList<double>(list, *element);
        case Kind::BoolType: return typedList<bool>(list, *element);
        case Kind::TensorType: {
            c10::List<at::Tensor> tensors;
            for (std::size_t i = 0; i < list.size(); ++i) tensors.push_back(at::Tensor());
            return tensors;
        }
        case Kind::OptionalType: {
            c10::List<std::optional<at::Tensor>> tensors;
            for (std::size_t i = 0; i < list.size(); ++i) tensors.push_back(std::nullopt);
            return tensors;
        }
        default: {
            c10::impl::GenericList values(element);
            for (const auto& a : list) values.push_back(toIValue(a, *element));
            return values;
        }
    }
}

}  // namespace

at::Tensor wrappedNumber(const at::Scalar& number) {
    at::Tensor tensor = c10::scalar_to_tensor(number);
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    return tensor;
}

c10::IValue toIValue(const Argument& argument, const c10::Type& declared) {
    // Attention kernels on a GPU take tensors that may be absent, although their type does not say so.
    if (argument.isNone() && declared.kind() == Kind::TensorType) return at::Tensor();
    const c10::Type& type = withoutOptional(declared);
    struct Converter {
        const c10::Type& type;
        c10::IValue operator()(std::monostate) const { return {}; }
        c10::IValue operator()(Node*) const { return {}; }
        c10::IValue operator()(const Argument::Subgraph&) const { return {}; }
        c10::IValue operator()(const std::string& v) const { return other(v, "a string"); }
        c10::IValue operator()(DType v) const { return other(toScalarType(v), "a dtype"); }
        c10::IValue operator()(const Device& v) const { return other(c10::Device(v.name), "a device"); }
        c10::IValue operator()(Layout v) const { return other(static_cast<at::Layout>(v), "a layout"); }
        c10::IValue operator()(MemoryFormat v) const {
            return other(static_cast<at::MemoryFormat>(v), "a memory format");
        }
        c10::IValue operator()(const Argument::List& v) const { return listValue(v, type); }
        c10::IValue operator()(std::int64_t v) const { return numberValue(v, type); }
        c10::IValue operator()(double v) const { return numberValue(v, type); }
        c10::IValue operator()(bool v) const { return numberValue(v, type); }
        c10::IValue operator()(const std::complex<double>& v) const {
            return numberValue(c10::complex<double>(v.real(), v.imag()), type);
        }
        c10::IValue other(const c10::IValue& value, const char* what) const {
            const bool asNumber = value.isInt() && isWhole(type);  // a dtype is a number in this case
            if (!asNumber && (isWhole(type) || isReal(type) || isTruth(type) || type.kind() == Kind::TensorType ||
                              type.kind() == Kind::NumberType || type.kind() == Kind::ListType))
                unfit(what, type);
            return value;
        }
    };
    return std::visit(Converter{type}, argument.value);
}

}  // namespace aotscope
