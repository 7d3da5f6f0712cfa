#include "program/pytree.h"

#include "program/files/declared_types.h"
#include "support/error.h"
#include "support/printable.h"

#include <ATen/core/Dict.h>
#include <ATen/core/jit_type.h>

namespace aotscope {

namespace {

/// Names are shown in many places, so long ones are dropped.
constexpr std::size_t kMostOfKey = 100, kMostOfPlace = 300;

/// The name of child `i`: a dict key, a field of a named tuple, or the position.
std::string stepTo(const Structure& s, std::size_t i) {
    if (s.kind == Structure::Kind::dict) {
        const std::string key = shortenedTo(kMostOfKey, dictKeyText(s.keys[i]));
        return key.empty() || key.find('.') != std::string::npos ? "'" + key + "'" : key;
    }
    const auto tuple = s.type ? s.type->cast<c10::TupleType>() : nullptr;
    const bool named = tuple && tuple->schema() && i < tuple->schema()->arguments().size();
    return named ? tuple->schema()->arguments()[i].name() : std::to_string(i);
}

void appendPlaceNames(const Structure& s, const std::string& place, std::vector<std::string>& names) {
    if (s.kind == Structure::Kind::leaf) return names.push_back(place.size() > kMostOfPlace ? "" : place);
    for (std::size_t i = 0; i < s.children.size(); ++i)
        appendPlaceNames(s.children[i], (place.empty() ? "" : place + ".") + stepTo(s, i), names);
}

void appendLeafNames(const Structure& s, const std::string& name, std::vector<std::string>& names) {
    if (s.kind == Structure::Kind::leaf) {
        names.push_back(name);
        return;
    }
    for (std::size_t i = 0; i < s.children.size(); ++i) {
        std::string index = std::to_string(i);
        if (s.kind == Structure::Kind::dict)
            index = s.keys[i].isString() ? "'" + s.keys[i].toStringRef() + "'" : dictKeyText(s.keys[i]);
        appendLeafNames(s.children[i], name + "[" + index + "]", names);
    }
}

bool isLeaf(const c10::IValue& v) {
    return v.isTensor() || v.isNone() || v.isInt() || v.isDouble() || v.isBool() || v.isString() || v.isDevice() ||
           v.isComplexDouble();
}

}  // namespace

std::vector<std::string> Structure::leafNames(const std::string& name) const {
    std::vector<std::string> names;
    appendLeafNames(*this, name, names);
    return names;
}

std::vector<std::string> Structure::placeNames() const {
    std::vector<std::string> names;
    appendPlaceNames(*this, "", names);
    if (kind == Kind::leaf) names.front() = "0";
    return names;
}

Structure flatten(const c10::IValue& value, std::vector<c10::IValue>& leaves, const std::string& what) {
    // Parts of a value may be shared: forty levels of pairs have 2^40 leaves and take no memory.
    constexpr std::size_t kMostLeaves = 1'000'000;
    Structure s;
    if (isLeaf(value)) {
        if (leaves.size() >= kMostLeaves)
            throw Error(what + " is made of more than " + std::to_string(kMostLeaves) +
                        " tensors and numbers; pass lists of numbers as tensors");
        leaves.push_back(value);
        return s;
    }
    s.type = value.type();
    if (value.isTuple()) {
        s.kind = Structure::Kind::tuple;
        for (const auto& element : value.toTupleRef().elements()) s.children.push_back(flatten(element, leaves, what));
    } else if (value.isList()) {
        s.kind = Structure::Kind::list;
        for (const auto& element : value.toListRef()) s.children.push_back(flatten(element, leaves, what));
    } else if (value.isGenericDict()) {
        s.kind = Structure::Kind::dict;
        for (const auto& entry : value.toGenericDict()) {
            s.keys.push_back(entry.key());
            s.children.push_back(flatten(entry.value(), leaves, what));
        }
    } else {
        throw Error(what + " is of type '" + value.type()->repr_str() +
                    "'; expected tensors, numbers, booleans, strings, None, or tuples, lists and dicts of these");
    }
    return s;
}

c10::IValue unflatten(const Structure& s, const std::vector<c10::IValue>& leaves, std::size_t& next) {
    switch (s.kind) {
        case Structure::Kind::leaf: return leaves.at(next++);
        case Structure::Kind::tuple: {
            std::vector<c10::IValue> elements;
            for (const auto& child : s.children) elements.push_back(unflatten(child, leaves, next));
            const auto type = s.type->cast<c10::TupleType>();
            return type && type->name() ? c10::ivalue::Tuple::createNamed(std::move(elements), type)
                                        : c10::ivalue::Tuple::create(std::move(elements));
        }
        case Structure::Kind::list: {
            c10::impl::GenericList list(s.type->expectRef<c10::ListType>().getElementType());
            for (const auto& child : s.children) list.push_back(unflatten(child, leaves, next));
            return list;
        }
        case Structure::Kind::dict: {
            const auto& type = s.type->expectRef<c10::DictType>();
            c10::impl::GenericDict dict(type.getKeyType(), type.getValueType());
            for (std::size_t i = 0; i < s.children.size(); ++i)
                dict.insert(s.keys[i], unflatten(s.children[i], leaves, next));
            return dict;
        }
    }
    return {};
}

}  // namespace aotscope
