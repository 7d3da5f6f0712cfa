#include "program/files/declared_types.h"

#include "support/error.h"
#include "support/quoted.h"
#include "support/token_reader.h"

#include <ATen/core/Dict.h>
#include <ATen/core/jit_type.h>

#include <algorithm>

namespace aotscope {

namespace {

/// Keys of an input spec are text: {"3": ...} has an integer key if the model takes a dict of integers.
c10::IValue keyAs(const c10::Type& type, const c10::IValue& key, const std::string& name) {
    using Kind = c10::TypeKind;
    if (!key.isString() || type.kind() == Kind::StringType || type.kind() == Kind::AnyType) return key;
    const std::string& text = key.toStringRef();
    const auto read = [&]<typename Number>(Number) {
        if (const auto number = asNumber<Number>(text)) return c10::IValue(*number);
        throw Error("input '" + name + "' of the model has keys of type " + type.repr_str() +
                    ", the input spec gives " + inQuotes(text));
    };
    if (type.kind() == Kind::IntType) return read(std::int64_t{});
    if (type.kind() == Kind::FloatType) return read(double{});
    if (type.kind() == Kind::BoolType && (text == "true" || text == "false")) return text == "true";
    throw Error("input '" + name + "' of the model has keys of type " + type.repr_str() +
                ", which an input spec cannot give; wrap the model in one that takes other keys");
}

/// Converts a plain list or dict to the declared container type.
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
                dict.insert(keyAs(*dictType.getKeyType(), entry.key(), name),
                            adapt(entry.value(), dictType.getValueType(), name));
            return dict;
        }
        default: return value;
    }
}

/// Like Python's repr().
std::string shownKey(const c10::IValue& key) {
    if (key.isString()) return "'" + key.toStringRef() + "'";
    if (key.isBool()) return key.toBool() ? "True" : "False";
    if (!key.isTuple()) return key.isNone() ? "None" : dictKeyText(key);
    const auto& elements = key.toTupleRef().elements();
    std::string text = "(";
    for (std::size_t i = 0; i < elements.size(); ++i) text += (i > 0 ? ", " : "") + shownKey(elements[i]);
    return text + (elements.size() == 1 ? ",)" : ")");
}

}  // namespace

c10::IValue dictKey(const c10::IValue& key) { return key.isTuple() || key.isNone() ? shownKey(key) : key; }

std::string dictKeyText(const c10::IValue& key) {
    if (key.isString()) return key.toStringRef();
    if (key.isInt()) return std::to_string(key.toInt());
    if (key.isDouble()) return c10::str(key.toDouble());
    if (key.isBool()) return key.toBool() ? "true" : "false";
    return key.tagKind();
}

std::vector<c10::IValue> asDeclared(std::vector<c10::IValue> values, const std::vector<InputDeclaration>& declared) {
    for (std::size_t i = 0; i < std::min(values.size(), declared.size()); ++i)
        values[i] = adapt(values[i], declared[i].type, declared[i].name);
    return values;
}

}  // namespace aotscope
