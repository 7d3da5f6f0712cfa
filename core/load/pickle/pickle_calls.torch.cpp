#include "load/pickle/pickle_calls.h"

#include "load/pickle/pickle_tensors.h"
#include "support/error.h"
#include "support/quoted.h"

#include <c10/core/QScheme.h>
#include <c10/core/ScalarType.h>

#include <array>

namespace aotscope {

namespace {

using PickledKind = PickledValue::Kind;

/// A few bytes of a pickle create each of them.
constexpr std::size_t kMostRebuiltTensors = 200'000, kMostSlots = 4'000'000;

/// The functions that LibTorch's pickler writes. Its unpickler supports more: some do not check their arguments
/// (_rebuild_sparse_tensor, build_tensor_from_id), some change the meaning of what follows (_rebuild_from_type_v2).
enum Function : std::int64_t {
    ofClass,
    tensor,
    quantized,
    parameter,
    orderedDict,
    complexNumber,
    device,
    typed,
    listOfType
};

struct KnownFunction {
    std::string_view module, name;
    Function function;
    std::string_view type = {};  ///< listOfType: the resulting list type
};

constexpr std::array<KnownFunction, 11> kFunctions = {
    {{"torch._utils", "_rebuild_tensor_v2", tensor},
     {"torch._utils", "_rebuild_qtensor", quantized},
     {"torch._utils", "_rebuild_parameter", parameter},
     {"collections", "OrderedDict", orderedDict},
     {"builtins", "complex", complexNumber},
     {"torch", "device", device},
     {"torch.jit._pickle", "restore_type_tag", typed},
     {"torch.jit._pickle", "build_intlist", listOfType, "List[int]"},
     {"torch.jit._pickle", "build_doublelist", listOfType, "List[float]"},
     {"torch.jit._pickle", "build_boollist", listOfType, "List[bool]"},
     {"torch.jit._pickle", "build_tensorlist", listOfType, "List[Tensor]"}}};

std::string shown(std::string_view module, std::string_view name) {
    return inQuotes(std::string(module) + "." + std::string(name));
}

bool isClass(std::string_view module) { return module == "__torch__" || module.starts_with("__torch__."); }

std::int64_t quantizerScheme(std::string_view name) {
    for (int i = 0; i < at::COMPILE_TIME_NUM_QSCHEMES; ++i)
        if (name == toString(static_cast<at::QScheme>(i))) return i;
    return -1;
}

}  // namespace

PickledValue PickleCalls::global(std::string_view module, std::string_view name) {
    PickledValue value;
    value.kind = PickledKind::function;
    value.text = module;
    value.name = name;
    for (const auto& known : kFunctions)
        if (known.module == module && known.name == name) {
            value.number = known.function;
            return value;
        }
    if (module == "torch") {
        if (PickledValue type = pickledStorageType(name); type.number > 0) return type;
        value.number = quantizerScheme(name);
        if (value.number < 0) throw Error("names " + shown(module, name) + ", which is not known");
        value.kind = PickledKind::quantizerScheme;
        return value;
    }
    if (module.starts_with("__torch__.torch.classes"))
        throw Error("holds an object of the native class " + shown(module, name) + ", whose state cannot be checked");
    if (!isClass(module)) throw Error("names " + shown(module, name) + ", which TorchScript files do not use");
    value.number = ofClass;
    return value;
}

const PickledValue& PickleCalls::argument(Index arguments, std::size_t i, PickledKind kind) const {
    return pickledArgument(values_, arguments, i, kind);
}

PickleCalls::Index PickleCalls::plain(PickledKind kind) {
    PickledValue value;
    value.kind = kind;
    return values_.add(std::move(value));
}

PickleCalls::Index PickleCalls::made(PickledValue tensor) {
    if (++tensors_ > kMostRebuiltTensors)
        throw Error("holds more than " + std::to_string(kMostRebuiltTensors) + " tensors");
    tensor.held = false;
    return values_.add(std::move(tensor));
}

PickleCalls::Index PickleCalls::call(Index function, Index arguments) {
    if (values_[function].kind != PickledKind::function) throw Error("calls a value that is not a function");
    switch (static_cast<Function>(values_[function].number)) {
        case ofClass: return enumMember(values_[function], arguments);
        case tensor: return made(rebuiltTensor(values_, arguments, false));
        case quantized: return made(rebuiltTensor(values_, arguments, true));
        case parameter: {
            argument(arguments, 1, PickledKind::boolean);
            return made(argument(arguments, 0, PickledKind::tensor));
        }
        case orderedDict:
            if (values_[arguments].kind != PickledKind::tuple)
                throw Error("calls a function with something other than a tuple");
            return plain(PickledKind::none);  // LibTorch ignores this argument, which is for hooks
        case complexNumber:
            argument(arguments, 0, PickledKind::real), argument(arguments, 1, PickledKind::real);
            return plain(PickledKind::complex);
        case device: argument(arguments, 0, PickledKind::text); return plain(PickledKind::device);
        case typed: return tagged(arguments, argument(arguments, 1, PickledKind::text).text);
        case listOfType:
            for (const auto& known : kFunctions)
                if (known.name == values_[function].name) return tagged(arguments, known.type);
    }
    throw Error("calls an unknown function");
}

PickleCalls::Index PickleCalls::tagged(Index arguments, std::string_view type) {
    if (values_[arguments].kind != PickledKind::tuple || values_[arguments].items.empty())
        throw Error("calls a function with something other than a tuple");
    const Index container = values_[arguments].items[0];
    tags_.tag(container, type);
    return container;
}

PickleCalls::Index PickleCalls::enumMember(const PickledValue& type, Index value) {
    PickledEnum member{std::string(type.text) + "." + std::string(type.name), {}};
    const PickledValue& given = values_[value];
    switch (given.kind) {
        case PickledKind::integer: member.value = given.number; break;
        case PickledKind::real: member.value = given.real; break;
        case PickledKind::text: member.value = std::string(given.text); break;
        default: throw Error("calls the class " + shown(type.text, type.name) + " as if it were an enumeration");
    }
    facts_.enums.push_back(std::move(member));
    return plain(PickledKind::enumeration);
}

PickleCalls::Index PickleCalls::build(Index unbuilt, Index state) {
    if (values_[unbuilt].kind != PickledKind::unbuilt) throw Error("gives a state to a value that is not an object");
    slots_ += values_[state].items.size() / 2;
    if (slots_ > kMostSlots) throw Error("holds objects with too many attributes");
    const Index object = plain(PickledKind::object);
    values_[object].text = values_[unbuilt].text;
    values_[object].name = values_[unbuilt].name;
    values_.hold(object, state);
    return object;
}

PickleCalls::Index PickleCalls::storage(Index id) {
    if (!storages_) throw Error("holds a tensor where none is expected");
    if (argument(id, 0, PickledKind::text).text != "storage") throw Error("refers to something other than a storage");
    const PickledValue &type = argument(id, 1, PickledKind::storageType), &key = argument(id, 2, PickledKind::text);
    argument(id, 3, PickledKind::text);  // the device
    const std::int64_t count = argument(id, 4, PickledKind::integer).number;
    PickledValue storage;
    storage.kind = PickledKind::storage;
    storage.dtype = type.dtype;
    if (count < 0 || __builtin_mul_overflow(count, type.number, &storage.number))
        throw Error("holds a storage of an impossible size");
    const std::string name(key.text);
    if (const auto bytes = storages_(name); bytes && static_cast<std::uint64_t>(storage.number) > *bytes)
        throw Error("gives storage " + inQuotes(name) + " " + std::to_string(storage.number) + " bytes, it has " +
                    std::to_string(*bytes));
    // LibTorch reads the record again for every storage that refers to it.
    if (count > 0 && !readStorages_.insert(key.text).second) throw Error("reads storage " + inQuotes(name) + " twice");
    if (static_cast<at::ScalarType>(type.dtype) == at::kBool) facts_.truthStorages.push_back(name);
    return values_.add(std::move(storage));
}

}  // namespace aotscope
