#include "program/declared_types.h"

#include "support/error.h"

#include <ATen/core/Dict.h>
#include <ATen/core/jit_type.h>

#include <algorithm>

namespace aotscope {

namespace {

/// Gives a plain list or dict the container type that the model declares.
c10::IValue adapt(const c10::IValue& value, const c10::TypePtr& declared, const std::string& name) {
    using Kind = c10::TypeKind;
    const c10::TypePtr type =
        declared->kind() == Kind::OptionalType ? declared->expectRef<c10::OptionalType>().getElementType() : declared;
    const auto mismatch = [&]() -> c10::IValue {
        throw Error("input '" + name + "' of the model is of type " + declared->repr_str() +
                    ", the input spec gives a " + value.tagKind());
    };
    if (value.isNone())
        return declared->kind() == Kind::OptionalType || declared->kind() == Kind::NoneType ||
                       declared->kind() == Kind::AnyType
                   ? value
                   : mismatch();
    switch (type->kind()) {
        case Kind::TensorType: return value.isTensor() ? value : mismatch();
        case Kind::IntType: return value.isInt() ? value : mismatch();
        case Kind::FloatType:
            return value.isInt()      ? c10::IValue(static_cast<double>(value.toInt()))
                   : value.isDouble() ? value
                                      : mismatch();
        case Kind::BoolType: return value.isBool() ? value : mismatch();
        case Kind::TupleType: {
            const auto& elements = type->expectRef<c10::TupleType>().elements();
            if (!value.isTuple() || value.toTupleRef().elements().size() != elements.size()) return mismatch();
            std::vector<c10::IValue> adapted;
            for (std::size_t i = 0; i < elements.size(); ++i)
                adapted.push_back(adapt(value.toTupleRef().elements()[i], elements[i], name));
            return c10::ivalue::Tuple::create(std::move(adapted));
        }
        case Kind::ListType: {
            if (!value.isTuple()) return mismatch();
            const auto element = type->expectRef<c10::ListType>().getElementType();
            c10::impl::GenericList list(element);
            for (const auto& v : value.toTupleRef().elements()) list.push_back(adapt(v, element, name));
            return list;
        }
        case Kind::DictType: {
            if (!value.isGenericDict()) return mismatch();
            const auto& dictType = type->expectRef<c10::DictType>();
            c10::impl::GenericDict dict(dictType.getKeyType(), dictType.getValueType());
            for (const auto& entry : value.toGenericDict())
                dict.insert(entry.key(), adapt(entry.value(), dictType.getValueType(), name));
            return dict;
        }
        default: return value;
    }
}

}  // namespace

std::vector<c10::IValue> asDeclared(std::vector<c10::IValue> values, const std::vector<InputDeclaration>& declared) {
    for (std::size_t i = 0; i < std::min(values.size(), declared.size()); ++i)
        values[i] = adapt(values[i], declared[i].type, declared[i].name);
    return values;
}

}  // namespace aotscope
