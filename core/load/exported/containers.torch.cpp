#include "load/exported/containers.h"

#include "load/exported/export_json.h"
#include "program/files/declared_types.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>
#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

using StructureKind = Structure::Kind;

/// The field names of named tuples.
using NamedTuples = std::map<std::string, std::vector<std::string>>;

constexpr int kDeepestKey = 8;

/// A dictionary key; nothing for an invalid one.
std::optional<c10::IValue> jsonKey(const nlohmann::json& key, int depth = 0) {
    if (key.is_null()) return c10::IValue();
    if (key.is_string()) return key.get<std::string>();
    if (key.is_boolean()) return key.get<bool>();
    if (key.is_number_integer()) return key.get<std::int64_t>();
    if (key.is_number_float()) return key.get<double>();
    if (!key.is_array() || depth == kDeepestKey) return std::nullopt;
    std::vector<c10::IValue> elements;
    for (const auto& element : key) {
        auto value = jsonKey(element, depth + 1);
        if (!value) return std::nullopt;
        elements.push_back(*std::move(value));
    }
    return c10::ivalue::Tuple::create(std::move(elements));
}

/// The keys listed in a dictionary's context; nothing if it lists something else. Custom classes list anything,
/// including lists and None.
std::optional<std::vector<c10::IValue>> keysIn(const nlohmann::json& context, bool ofDict) {
    if (context.is_object() && context.contains("dict_context")) return keysIn(context["dict_context"], ofDict);
    if (!context.is_array()) return std::nullopt;
    std::vector<c10::IValue> keys;
    for (const auto& element : context) {
        const auto key = jsonKey(element);
        if (!key || (!ofDict && (key->isTuple() || key->isNone()))) return std::nullopt;
        keys.push_back(dictKey(*key));
    }
    return keys;
}

/// The common type of all keys, or Any.
c10::TypePtr typeOfKeys(const std::vector<c10::IValue>& keys) {
    if (keys.empty()) return c10::StringType::get();
    for (const auto& key : keys)
        if (key.tagKind() != keys.front().tagKind()) return c10::AnyType::get();
    return keys.front().type();
}

/// The fields of a data class, which its context lists before those that are None.
std::vector<std::string> fieldsIn(const nlohmann::json& context) {
    std::vector<std::string> fields;
    if (!context.is_array() || context.size() != 2 || !context[0].is_array() || !context[1].is_array()) return fields;
    for (const auto& field : context[0]) {
        if (!field.is_string()) return {};
        fields.push_back(field.get<std::string>());
    }
    return fields;
}

/// PyTorch writes most contexts as JSON texts, names of named tuples unquoted, and some as objects.
nlohmann::json contextOf(const JsonValue& context) {
    const nlohmann::json& value = context.raw();
    if (!value.is_string()) return value;
    const auto& text = value.get_ref<const std::string&>();
    return nlohmann::json::accept(text) ? parseJson(text, "the context of a container") : value;
}

c10::TypePtr namedTupleType(const std::string& name, const std::vector<std::string>& fields) {
    const std::string last = name.substr(name.rfind('.') + 1);
    // LibTorch rejects fields of type Any; the values decide.
    std::vector<c10::TypePtr> types(fields.size(), c10::TensorType::get());
    return c10::TupleType::createNamed(c10::QualifiedName(last.empty() ? "Tuple" : last), fields, types);
}

class StructureReader {
public:
    explicit StructureReader(const NamedTuples& namedTuples) : namedTuples_(namedTuples) {}

    Structure read(const JsonValue& json) const {
        Structure structure;
        json["children_spec"].forEachElement([&](const JsonValue& v) { structure.children.push_back(read(v)); });
        const auto type = json.find("type");
        if (!type) return structure;
        const auto context = json.find("context");
        setKind(structure, type->text(), context ? contextOf(*context) : nlohmann::json());
        return structure;
    }

private:
    void setKind(Structure& structure, const std::string& type, const nlohmann::json& context) const {
        if (type == "builtins.list" || type == "collections.deque") {
            structure.kind = StructureKind::list;
            structure.type = c10::ListType::create(c10::AnyType::get());
            return;
        }
        const bool isDict =
            type == "builtins.dict" || type == "collections.OrderedDict" || type == "collections.defaultdict";
        const auto keys = keysIn(context, isDict);
        if (type != "builtins.tuple" && keys && keys->size() == structure.children.size()) {
            structure.kind = StructureKind::dict;
            structure.keys = *keys;
            structure.type = c10::DictType::create(typeOfKeys(*keys), c10::AnyType::get());
            return;
        }
        structure.kind = StructureKind::tuple;
        structure.type =
            c10::TupleType::create(std::vector<c10::TypePtr>(structure.children.size(), c10::AnyType::get()));
        if (!context.is_string()) {
            const auto fields = fieldsIn(context);
            if (!fields.empty() && fields.size() == structure.children.size())
                structure.type = namedTupleType(type, fields);
            return;
        }
        const auto it = namedTuples_.find(context.get<std::string>());
        if (it != namedTuples_.end() && it->second.size() == structure.children.size())
            structure.type = namedTupleType(it->first, it->second);
    }

    const NamedTuples& namedTuples_;
};

/// The common type of all elements, or Any.
c10::TypePtr commonType(const std::vector<c10::TypePtr>& types) {
    for (const auto& type : types)
        if (*type != *types.front()) return c10::AnyType::get();
    return types.empty() ? c10::TypePtr(c10::AnyType::get()) : types.front();
}

[[noreturn]] void mismatch(const std::string& name, const std::string& expected, const c10::IValue& value) {
    throw Error(inQuotes(name) + " is " + expected + " in the exported program, the input spec gives a " +
                value.tagKind());
}

/// The fields of a named tuple or a data class by name.
std::vector<c10::IValue> fieldsOf(const c10::IValue& value, const std::string& name,
                                  const c10::FunctionSchema& fields) {
    std::vector<c10::IValue> elements;
    const auto dict = value.toGenericDict();
    for (const auto& field : fields.arguments()) {
        const auto entry = dict.find(c10::IValue(field.name()));
        if (entry == dict.end()) throw Error("the input spec gives no " + inQuotes(name + "." + field.name()));
        elements.push_back(entry->value());
    }
    return elements;
}

std::vector<c10::IValue> elementsOf(const c10::IValue& value, const std::string& name, const Structure& structure) {
    const std::size_t count = structure.children.size();
    const std::string expected = "a tuple or list of " + std::to_string(count);
    std::vector<c10::IValue> elements;
    const auto named = structure.type->cast<c10::TupleType>();
    if (value.isTuple()) elements = value.toTupleRef().elements().vec();
    else if (value.isList()) elements = value.toListRef().vec();
    else if (value.isGenericDict() && named && named->schema()) elements = fieldsOf(value, name, *named->schema());
    else if (value.isGenericDict() && count == 1 && value.toGenericDict().size() == 1)
        elements.push_back(value.toGenericDict().begin()->value());  // an object with one attribute
    else mismatch(name, expected, value);
    if (elements.size() != count)
        throw Error(inQuotes(name) + " is " + expected + " in the exported program, the input spec gives " +
                    counted(elements.size(), "element"));
    return elements;
}

std::string keyText(const c10::IValue& key) { return key.isString() ? inQuotes(key.toStringRef()) : dictKeyText(key); }

/// Keys in an input spec are strings.
c10::impl::GenericDict::iterator entryOf(const c10::impl::GenericDict& dict, const c10::IValue& key) {
    const auto entry = dict.find(key);
    return entry != dict.end() || key.isString() ? entry : dict.find(c10::IValue(dictKeyText(key)));
}

}  // namespace

Structure readStructure(const std::string& text, const NamedTuples& namedTuples, const std::string& what) {
    const nlohmann::json parsed = parseJson(text, what);
    const JsonValue json(parsed, what, kSaveAgain);
    if (!json.isList() || json.size() != 2) json.fail("a list of a version and a structure");
    return StructureReader(namedTuples).read(JsonValue(parsed[1], what, kSaveAgain));
}

std::size_t leafCount(const Structure& structure) {
    if (structure.kind == StructureKind::leaf) return 1;
    std::size_t count = 0;
    for (const auto& child : structure.children) count += leafCount(child);
    return count;
}

c10::TypePtr typeOfStructure(const Structure& structure, const std::vector<c10::TypePtr>& leaves, std::size_t& next) {
    if (structure.kind == StructureKind::leaf) return leaves.at(next++);
    std::vector<c10::TypePtr> types;
    for (const auto& child : structure.children) types.push_back(typeOfStructure(child, leaves, next));
    switch (structure.kind) {
        case StructureKind::list: return c10::ListType::create(commonType(types));
        case StructureKind::dict:
            return c10::DictType::create(structure.type->expectRef<c10::DictType>().getKeyType(), commonType(types));
        default: return c10::TupleType::create(std::move(types));
    }
}

void collectLeaves(const Structure& structure, const c10::IValue& value, const std::string& name,
                   std::vector<c10::IValue>& leaves) {
    if (structure.kind == StructureKind::leaf) {
        if (value.isTuple() || value.isList() || value.isGenericDict()) mismatch(name, "a single value", value);
        leaves.push_back(value);
        return;
    }
    if (structure.kind == StructureKind::dict) {
        if (!value.isGenericDict()) mismatch(name, "a dictionary", value);
        const auto dict = value.toGenericDict();
        for (std::size_t i = 0; i < structure.children.size(); ++i) {
            const auto entry = entryOf(dict, structure.keys[i]);
            const std::string element = name + "[" + keyText(structure.keys[i]) + "]";
            if (entry == dict.end()) throw Error("the input spec gives no " + inQuotes(element));
            collectLeaves(structure.children[i], entry->value(), element, leaves);
        }
        return;
    }
    const auto elements = elementsOf(value, name, structure);
    for (std::size_t i = 0; i < elements.size(); ++i)
        collectLeaves(structure.children[i], elements[i], name + "[" + std::to_string(i) + "]", leaves);
}

}  // namespace aotscope
