#include "load/pickle/archive_pickles.h"

#include "support/error.h"
#include "support/quoted.h"

#include <ATen/core/class_type.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <unordered_set>

namespace aotscope {

namespace {

/// Traverses the values of a module with their types.
class StateChecker {
public:
    void run(const c10::IValue& root) {
        later_.push_back(root);
        while (!later_.empty()) {
            const auto object = later_.back().toObject();
            later_.pop_back();
            if (!seen_.insert(object.get()).second) continue;
            const auto& type = *object->type();
            for (std::size_t i = 0; i < type.numAttributes() && !object->slots().empty(); ++i)
                if (!fits(object->getSlot(i), *type.getAttribute(i)))
                    throw Error("the attribute " + inQuotes(type.getAttributeName(i)) + " of " +
                                inQuotes(type.name()->name()) + " is not of type " +
                                shortened(type.getAttribute(i)->annotation_str()));
        }
    }

private:
    using Kind = c10::TypeKind;

    bool fits(const c10::IValue& value, const c10::Type& type) {
        switch (type.kind()) {
            case Kind::TensorType: return value.isTensor();
            case Kind::IntType: return value.isInt();
            case Kind::FloatType: return value.isDouble();
            case Kind::BoolType: return value.isBool();
            case Kind::ComplexType: return value.isComplexDouble();
            case Kind::StringType: return value.isString();
            case Kind::NoneType: return value.isNone();
            case Kind::DeviceObjType: return value.isDevice();
            case Kind::NumberType: return value.isScalar();
            case Kind::OptionalType: return value.isNone() || fits(value, *type.containedType(0));
            case Kind::UnionType: {
                const auto& choices = type.containedTypes();
                return std::any_of(choices.begin(), choices.end(),
                                   [&](const c10::TypePtr& choice) { return fits(value, *choice); });
            }
            case Kind::TupleType: return value.isTuple() && allFit(value.toTupleRef().elements(), type);
            case Kind::ListType: return value.isList() && listFits(value.toList(), *type.containedType(0));
            case Kind::DictType: return value.isGenericDict() && dictFits(value.toGenericDict(), type);
            case Kind::ClassType:
            case Kind::InterfaceType:
                if (!value.isObject() || !value.toObject()->type()->isSubtypeOf(type)) return false;
                later_.push_back(value);
                return true;
            case Kind::AnyType: return noteObjects(value, type);
            default:
                if (value.isObject()) later_.push_back(value);
                return value.type()->isSubtypeOf(type);
        }
    }

    /// Objects always have a class, even in a value of type Any. Always true.
    bool noteObjects(const c10::IValue& value, const c10::Type& any) {
        if (value.isObject()) later_.push_back(value);
        const auto look = [&](const c10::IValue& element) { fits(element, any); };
        if (value.isTuple())
            std::for_each(value.toTupleRef().elements().begin(), value.toTupleRef().elements().end(), look);
        else if (value.isList())
            for (const c10::IValue& element : value.toListRef()) look(element);
        else if (value.isGenericDict())
            for (const auto& entry : value.toGenericDict()) look(entry.value());
        return true;
    }
    bool allFit(c10::ArrayRef<c10::IValue> elements, const c10::Type& tuple) {
        if (elements.size() != tuple.containedTypeSize()) return false;
        for (std::size_t i = 0; i < elements.size(); ++i)
            if (!fits(elements[i], *tuple.containedType(i))) return false;
        return true;
    }
    bool listFits(const c10::List<c10::IValue>& list, const c10::Type& element) {
        if (!list.elementType()->isSubtypeOf(element)) return false;
        return std::all_of(list.begin(), list.end(), [&](const c10::IValue& value) { return fits(value, element); });
    }
    bool dictFits(const c10::Dict<c10::IValue, c10::IValue>& dict, const c10::Type& type) {
        const auto &key = *type.containedType(0), &value = *type.containedType(1);
        if (!dict.keyType()->isSubtypeOf(key) || !dict.valueType()->isSubtypeOf(value)) return false;
        return std::all_of(dict.begin(), dict.end(),
                           [&](const auto& entry) { return fits(entry.key(), key) && fits(entry.value(), value); });
    }

    std::vector<c10::IValue> later_;  ///< objects
    std::unordered_set<const void*> seen_;
};

}  // namespace

void requireTypedState(const torch::jit::Module& module) { StateChecker().run(module._ivalue()); }

}  // namespace aotscope
