#include "program/inputs/saved_inputs.h"

#include "program/files/declared_types.h"
#include "program/files/tensor_file.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <ATen/core/Dict.h>
#include <ATen/core/jit_type.h>

#include <algorithm>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

c10::IValue listsToTuples(const c10::IValue& value) {
    if (!value.isList() && !value.isTuple()) return value;
    std::vector<c10::IValue> elements;
    if (value.isTuple())
        for (const auto& v : value.toTupleRef().elements()) elements.push_back(listsToTuples(v));
    else
        for (const auto& v : value.toListRef()) elements.push_back(listsToTuples(v));
    return c10::ivalue::Tuple::create(std::move(elements));
}

/// The contents of an input file; several named tensors as a dict.
c10::IValue savedInputs(const fs::path& path) {
    const bool picksOne = path.filename().string().find(".safetensors:") != std::string::npos;
    switch (tensorFileKind(path)) {
        case TensorFileKind::npy: return readTensor(path);
        case TensorFileKind::safetensors: {
            if (picksOne) return readTensor(path);
            c10::impl::GenericDict named(c10::StringType::get(), c10::AnyType::get());
            for (const auto& [name, tensor] : readTensors(path)) named.insert(name, tensor);
            return named;
        }
        default: return readSavedValue(path);
    }
}

/// Whether `value` has the form of torch.export's args and kwargs: ((a, b), {"c": c}).
bool isCall(const c10::IValue& value, const std::vector<InputDeclaration>& declared) {
    if (!value.isTuple() && !value.isList()) return false;
    const auto elements = value.isTuple() ? value.toTupleRef().elements().vec() : value.toListRef().vec();
    if (elements.size() != 2 || (!elements[0].isTuple() && !elements[0].isList()) || !elements[1].isGenericDict())
        return false;
    const auto isInput = [&](const auto& entry) {
        return entry.key().isString() &&
               std::any_of(declared.begin(), declared.end(),
                           [&](const InputDeclaration& input) { return input.name == entry.key().toStringRef(); });
    };
    // It could also be the two inputs of a model.
    const auto dict = elements[1].toGenericDict();
    if (declared.size() != 2) return true;
    return declared[1].type->kind() != c10::TypeKind::DictType && std::all_of(dict.begin(), dict.end(), isInput);
}

/// The inputs of a call in the order of the model's declarations.
std::vector<c10::IValue> inputsOfCall(const c10::IValue& call, const fs::path& path,
                                      const std::vector<InputDeclaration>& declared) {
    const c10::IValue tuple = listsToTuples(call);
    const auto& parts = tuple.toTupleRef().elements();
    std::vector<c10::IValue> inputs = parts[0].toTupleRef().elements().vec();
    const auto named = parts[1].toGenericDict();
    std::size_t used = 0;
    for (std::size_t i = inputs.size(); i < declared.size() && used < named.size(); ++i) {
        const InputDeclaration& input = declared[i];
        const auto it = named.find(c10::IValue(input.name));
        if (it == named.end() && !input.defaultValue)
            throw Error("'" + path.string() + "' has no argument for the model's input " + inQuotes(input.name));
        inputs.push_back(it == named.end() ? *input.defaultValue : listsToTuples(it->value()));
        used += it != named.end();
    }
    if (used == named.size()) return inputs;
    std::vector<std::string> names;
    for (const InputDeclaration& input : declared) names.push_back(input.name);
    for (const auto& entry : named) {
        const std::string name = entry.key().isString() ? entry.key().toStringRef() : entry.key().tagKind();
        const auto known = std::find(names.begin(), names.end(), name);
        const auto place = static_cast<std::size_t>(known - names.begin());
        if (known == names.end())
            throw Error("'" + path.string() + "' has a keyword argument " + inQuotes(name) +
                        ", the model's inputs are " + quotedNames(names));
        if (place < parts[0].toTupleRef().elements().size())
            throw Error("'" + path.string() + "' gives the model's input " + inQuotes(name) +
                        " twice, by its place and by its name");
    }
    return inputs;
}

/// The inputs given by `value`, which was read from `path`.
std::vector<c10::IValue> inputsFrom(const c10::IValue& value, const fs::path& path,
                                    const std::vector<InputDeclaration>& declared) {
    std::vector<c10::IValue> inputs;
    if (isCall(value, declared)) {
        inputs = inputsOfCall(value, path, declared);
    } else if (value.isGenericDict()) {
        const auto dict = value.toGenericDict();
        for (const auto& input : declared) {
            const auto it = dict.find(c10::IValue(input.name));
            if (it == dict.end() && input.defaultValue) break;
            if (it == dict.end())
                throw Error("'" + path.string() + "' has no entry for the model's input '" + input.name + "'");
            inputs.push_back(listsToTuples(it->value()));
        }
    } else if (value.isList() || value.isTuple()) {
        const c10::IValue tuple = listsToTuples(value);
        for (const auto& v : tuple.toTupleRef().elements()) inputs.push_back(v);
    } else {
        inputs.push_back(value);
    }
    return asDeclared(std::move(inputs), declared);
}

bool isBatch(const c10::IValue& value, const std::vector<InputDeclaration>& declared) {
    if (value.isList() || value.isTuple() || value.isGenericDict()) return true;
    return value.isTensor() && (declared.size() == 1 || (declared.size() > 1 && declared[1].defaultValue));
}

}  // namespace

std::vector<c10::IValue> readSavedInputs(const fs::path& path, const std::vector<InputDeclaration>& declared) {
    return inputsFrom(savedInputs(path), path, declared);
}

std::vector<std::vector<c10::IValue>> readSavedBatches(const fs::path& path,
                                                       const std::vector<InputDeclaration>& declared) {
    const c10::IValue value = savedInputs(path);
    if ((!value.isList() && !value.isTuple()) || isCall(value, declared)) return {inputsFrom(value, path, declared)};
    const c10::IValue tuple = listsToTuples(value);
    const auto& elements = tuple.toTupleRef().elements();
    if (elements.empty()) throw Error("'" + path.string() + "' holds no batch; expected a list of batches");
    std::vector<std::vector<c10::IValue>> batches;
    for (const c10::IValue& element : elements) {
        if (!isBatch(element, declared)) return {inputsFrom(value, path, declared)};
        batches.push_back(inputsFrom(element, path, declared));
    }
    return batches;
}

}  // namespace aotscope
