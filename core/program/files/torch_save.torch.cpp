#include "program/files/torch_save.h"

#include "aten/convert.h"
#include "ir/types.h"
#include "program/files/archive.h"
#include "program/files/declared_types.h"
#include "program/files/dict_keys.h"
#include "program/files/pickle_reader.h"
#include "program/files/tensor_bytes.h"
#include "support/error.h"
#include "support/quoted.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>

namespace aotscope {

namespace {

using PickleKind = PickleValue::Kind;

constexpr int kDeepestSavedValue = 64;
constexpr std::size_t kMostSavedValues = 1'000'000;
constexpr std::uint64_t kLargestPickle = std::uint64_t{256} << 20;
/// A view may have more elements than its storage; copies of it must still fit.
constexpr std::int64_t kMostExtraBytes = std::int64_t{128} << 20;
constexpr std::size_t kMostSavedTensors = 200'000;

at::ScalarType storageType(const std::string& global) {
    constexpr std::string_view module = "torch.", end = "Storage";
    if (global == "torch.storage.UntypedStorage") return at::kByte;
    if (global.starts_with(module) && global.ends_with(end))
        if (const auto dtype = dtypeSpelled(
                &DTypeSpellings::storage,
                std::string_view(global).substr(module.size(), global.size() - module.size() - end.size())))
            return toScalarType(*dtype);
    throw Error("it holds a tensor with a storage of the unknown class " + inQuotes(global));
}

/// Tensors that are more than plain memory, by the functions that rebuild them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kTensorsThatStayInPython = {
    {{"torch._utils._rebuild_sparse_tensor", "a sparse tensor; expected dense (strided) tensors"},
     {"torch._utils._rebuild_nested_tensor", "a nested tensor; expected dense (strided) tensors"},
     {"torch._utils._rebuild_qtensor",
      "a quantized tensor, whose scale belongs to it; expected tensors of floats or integers"},
     {"torch._utils._rebuild_meta_tensor_no_storage", "a meta tensor, which has no values"},
     {"torch._utils._rebuild_device_tensor_from_numpy", "a tensor kept as an array of NumPy; expected one on the CPU"},
     {"torch._utils._rebuild_wrapper_subclass",
      "a tensor of a Python class that wraps other tensors; expected plain tensors"}}};

/// Converts a pickle's values to tensors and containers, with the storages in the archive.
class Restorer {
public:
    explicit Restorer(ZipArchive& archive) : archive_(archive) {}

    c10::IValue restore(const PickleValue& value, int depth = 0) {
        requireShallow(depth);
        if (++count_ > kMostSavedValues)
            throw Error("it holds more than " + std::to_string(kMostSavedValues) + " values");
        switch (value.kind) {
            case PickleKind::none: return {};
            case PickleKind::boolean: return value.integer != 0;
            case PickleKind::integer: return value.integer;
            case PickleKind::real: return value.real;
            case PickleKind::text: return value.text;
            case PickleKind::list: return list(value.items, depth);
            case PickleKind::tuple: return tuple(value, depth);
            case PickleKind::dict: return dict(value, depth);
            case PickleKind::call: return call(value, depth);
            case PickleKind::global:
                throw Error("it holds " + inQuotes(value.text) +
                            "; expected tensors, numbers, strings, lists, tuples and dicts");
            case PickleKind::persistent: throw Error("it holds a storage that no tensor uses");
        }
        throw Error("it holds a value of an unknown kind");
    }

private:
    static void requireShallow(int depth) {
        if (depth > kDeepestSavedValue)
            throw Error("its values are nested more than " + std::to_string(kDeepestSavedValue) + " levels deep");
    }

    c10::IValue list(const std::vector<PickleValue::Ref>& items, int depth) {
        c10::impl::GenericList elements(c10::AnyType::get());
        for (auto item : items) elements.push_back(restore(*item, depth + 1));
        return elements;
    }
    c10::IValue tuple(const PickleValue& value, int depth) {
        std::vector<c10::IValue> elements;
        for (auto item : value.items) elements.push_back(restore(*item, depth + 1));
        return c10::ivalue::Tuple::create(std::move(elements));
    }
    c10::IValue dict(const PickleValue& value, int depth) {
        c10::impl::GenericDict entries(c10::AnyType::get(), c10::AnyType::get());
        std::vector<std::uint64_t> hashes;
        std::vector<c10::IValue> keys;
        for (const auto& [key, item] : value.entries) {
            keys.push_back(this->key(*key, depth));
            hashes.push_back(hashOf(keys.back()));
        }
        if (keysCollide(std::move(hashes))) throw Error("it holds a dict whose keys were chosen to collide");
        for (std::size_t i = 0; i < keys.size(); ++i)
            entries.insert_or_assign(keys[i], restore(*value.entries[i].second, depth + 1));
        return entries;
    }

    c10::IValue key(const PickleValue& key, int depth) {
        requireShallow(depth);
        constexpr std::array kinds = {PickleKind::text, PickleKind::integer, PickleKind::boolean,
                                      PickleKind::real, PickleKind::none,    PickleKind::tuple};
        if (std::ranges::none_of(kinds, [&](PickleKind kind) { return key.is(kind); }))
            throw Error("it holds a dict with a key that is not a string, number, None or tuple of these");
        return dictKey(restore(key, depth + 1));
    }

    static std::uint64_t hashOf(const c10::IValue& key) {
        if (key.isString()) return std::hash<std::string_view>()(key.toStringRef());
        if (key.isDouble()) return std::hash<double>()(key.toDouble());
        return static_cast<std::uint64_t>(key.isBool() ? std::int64_t{key.toBool()} : key.toInt());
    }

    c10::IValue call(const PickleValue& value, int depth) {
        if (!value.function->is(PickleKind::global)) throw Error("it calls a value that is not a function");
        const std::string& name = value.function->text;
        if (name == "collections.OrderedDict" || name == "collections.defaultdict") return dict(value, depth);
        if (name == "collections.deque") return list(value.appended, depth);
        if (const auto tensor = rebuilt(name, value, depth)) return *tensor;
        if (name == "torch.Size" && value.items.size() == 1) return restore(*value.items[0], depth + 1);
        // LibTorch's own pickles include the element types of containers.
        if (name.starts_with("torch.jit._pickle.") && !value.items.empty()) return restore(*value.items[0], depth + 1);
        if (value.creates && !value.state && !value.items.empty()) return tuple(value, depth);  // a named tuple
        if (isDataClass(value)) return dict(*value.state, depth);
        throw Error("it holds an object made by " + inQuotes(name) +
                    "; expected tensors, numbers, strings, lists, tuples and dicts");
    }

    /// Modules also have attributes, some of which are private.
    static bool isDataClass(const PickleValue& value) {
        if (!value.creates || !value.items.empty() || !value.state || value.state->entries.empty()) return false;
        const auto isField = [](const auto& entry) {
            return entry.first->is(PickleKind::text) && !entry.first->text.starts_with('_');
        };
        return !value.function->text.starts_with("__torch__.") && std::ranges::all_of(value.state->entries, isField);
    }

    /// The tensor that a PyTorch function rebuilds; nothing for any other function. `arguments` is its call, or a tuple
    /// passed by another function.
    std::optional<c10::IValue> rebuilt(const std::string& function, const PickleValue& arguments, int depth) {
        requireShallow(depth);
        if (function == "torch._utils._rebuild_tensor_v2" || function == "torch._utils._rebuild_tensor_v3")
            return tensor(arguments, function.back() == '3');
        if (function == "torch._utils._rebuild_parameter" || function == "torch._utils._rebuild_parameter_with_state")
            return parameter(arguments, depth);
        if (function == "torch._utils._rebuild_device_tensor_from_cpu_tensor") return fromCpu(arguments, depth);
        if (function == "torch._tensor._rebuild_from_type_v2") return withAttributes(arguments, depth);
        for (const auto& [name, what] : kTensorsThatStayInPython)
            if (name == function) throw Error("it holds " + std::string(what));
        return std::nullopt;
    }

    /// The plain data of a tensor with attributes, or of a Python class.
    c10::IValue withAttributes(const PickleValue& arguments, int depth) {
        const PickleValue &function = argument(arguments, 0), &passed = argument(arguments, 2);
        if (function.is(PickleKind::global) && passed.is(PickleKind::tuple))
            if (auto tensor = rebuilt(function.text, passed, depth + 1)) return *std::move(tensor);
        throw Error("it holds a tensor of a Python class that is made by " +
                    inQuotes(function.is(PickleKind::global) ? function.text : "another value") +
                    "; expected plain tensors");
    }

    /// Arguments: a tensor, the dtype, the device and requires_grad.
    c10::IValue fromCpu(const PickleValue& arguments, int depth) {
        const c10::IValue data = restore(argument(arguments, 0), depth + 1);
        if (!data.isTensor()) throw Error("it holds a tensor made of something else");
        const at::Tensor tensor = data.toTensor().detach().to(dtype(argument(arguments, 1)));
        return tensor.set_requires_grad(argument(arguments, 3).integer != 0 && tensor.is_floating_point());
    }

    static const PickleValue& argument(const PickleValue& arguments, std::size_t i) {
        if (i >= arguments.items.size()) throw Error("it makes a tensor with too few arguments");
        return *arguments.items[i];
    }
    static std::int64_t size(const PickleValue& value) {
        constexpr std::int64_t most = std::int64_t{1} << 40;
        if (!value.is(PickleKind::integer) || value.integer < 0 || value.integer > most)
            throw Error("it holds a tensor whose sizes, strides and offset are not numbers from 0 to 2^40");
        return value.integer;
    }
    static std::vector<std::int64_t> sizes(const PickleValue& value) {
        const PickleValue& tuple = value.calls("torch.Size") ? argument(value, 0) : value;
        if (!tuple.is(PickleKind::tuple)) throw Error("it holds a tensor whose sizes or strides are not a tuple");
        std::vector<std::int64_t> result;
        for (auto item : tuple.items) result.push_back(size(*item));
        return result;
    }
    static at::ScalarType dtype(const PickleValue& value) {
        const auto known = value.is(PickleKind::global) ? dtypeFromName(value.text) : std::nullopt;
        if (!known) throw Error("it holds a tensor of an unknown dtype");
        return toScalarType(*known);
    }

    c10::IValue parameter(const PickleValue& value, int depth) {
        const c10::IValue data = restore(argument(value, 0), depth + 1);
        if (!data.isTensor()) throw Error("it holds a parameter that is not a tensor");
        const at::Tensor& tensor = data.toTensor();
        return tensor.detach().set_requires_grad(argument(value, 1).integer != 0 && tensor.is_floating_point());
    }

    /// Arguments: storage, offset, sizes, strides, requires_grad, hooks, dtype (version 3), and metadata.
    at::Tensor tensor(const PickleValue& call, bool withDtype) {
        if (const auto known = tensors_.find(&call); known != tensors_.end()) return known->second;
        const PickleValue& id = argument(call, 0);
        if (!id.is(PickleKind::persistent) || !id.items[0]->is(PickleKind::tuple) || id.items[0]->items.size() < 5)
            throw Error("it holds a tensor without a storage");
        const auto& place = id.items[0]->items;
        if (!place[1]->is(PickleKind::global) || !place[2]->is(PickleKind::text))
            throw Error("it holds a tensor without a storage");
        const at::ScalarType type = withDtype ? dtype(argument(call, 6)) : storageType(place[1]->text);
        const c10::Storage& storage = this->storage(place[2]->text, type);

        const std::int64_t offset = size(argument(call, 1));
        const auto shape = sizes(argument(call, 2)), strides = sizes(argument(call, 3));
        requireFit(storage, type, offset, shape, strides);
        const at::Tensor tensor = at::empty({0}, at::TensorOptions().dtype(type)).set_(storage, offset, shape, strides);
        if (const std::size_t last = withDtype ? 7 : 6; call.items.size() > last) showAs(*call.items[last], tensor);
        const bool gradient = call.items.size() > 4 && call.items[4]->is(PickleKind::boolean) && call.items[4]->integer;
        if (gradient && (tensor.is_floating_point() || tensor.is_complex())) tensor.set_requires_grad(true);
        if (tensors_.size() >= kMostSavedTensors)
            throw Error("it holds more than " + std::to_string(kMostSavedTensors) + " tensors");
        return tensors_[&call] = tensor;
    }

    /// Sets the conjugate and negative bits.
    static void showAs(const PickleValue& metadata, const at::Tensor& tensor) {
        for (const auto& [key, value] : metadata.entries) {
            const bool conjugated = key->text == "conj" && tensor.is_complex();
            if (!key->is(PickleKind::text) || !value->is(PickleKind::boolean) || (!conjugated && key->text != "neg"))
                throw Error("it marks a tensor in an unknown way");
            if (conjugated) tensor._set_conj(value->integer != 0);
            else tensor._set_neg(value->integer != 0);
        }
    }

    static void requireFit(const c10::Storage& storage, at::ScalarType type, std::int64_t offset,
                           const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides) {
        std::int64_t elements = 0;
        try {
            elements = checkedElements(shape);
        } catch (const Error& e) {
            throw Error(std::string("it holds a tensor ") + e.what());
        }
        if (shape.size() != strides.size()) throw Error("it holds a tensor whose numbers of sizes and strides differ");
        const auto stored = static_cast<std::int64_t>(storage.nbytes() / c10::elementSize(type));
        std::int64_t last = offset;
        for (std::size_t i = 0; i < shape.size() && elements > 0; ++i) {
            // Both are at most 2^40, and `last` stays below the storage's size: checked before multiplying.
            const std::int64_t steps = shape[i] - 1;
            if (steps > 0 && strides[i] > stored / steps) last = stored;
            else last += steps * strides[i];
            if (last >= stored) break;
        }
        if (elements > 0 && last >= stored)
            throw Error("it holds a tensor of " + std::to_string(elements) +
                        " elements that reaches beyond its storage of " + std::to_string(stored));
        if (elements > stored + kMostExtraBytes / static_cast<std::int64_t>(c10::elementSize(type)))
            throw Error("it holds a tensor of " + std::to_string(elements) + " elements in a storage of " +
                        std::to_string(stored));
    }

    const c10::Storage& storage(const std::string& key, at::ScalarType type) {
        auto [known, isNew] = storages_.try_emplace(key);
        if (isNew) known->second = readStorage("data/" + key);
        if (type == at::kBool && truths_.insert(key).second) {
            auto* bytes = static_cast<unsigned char*>(known->second.mutable_data());
            std::transform(bytes, bytes + known->second.nbytes(), bytes, [](unsigned char b) { return b != 0; });
        }
        return known->second;
    }

    c10::Storage readStorage(const std::string& record) {
        if (!archive_.contains(record))
            throw Error("its record " + inQuotes(record) + " with the data of a tensor is missing");
        const std::string_view bytes = archive_.bytes(record);
        at::DataPtr data = at::getCPUAllocator()->allocate(bytes.size());
        if (!bytes.empty()) std::memcpy(data.get(), bytes.data(), bytes.size());
        return {c10::Storage::use_byte_size_t(), bytes.size(), std::move(data)};
    }

    ZipArchive& archive_;
    std::size_t count_ = 0;
    std::map<std::string, c10::Storage> storages_;
    std::set<std::string> truths_;  ///< storages whose bytes are 0 or 1
    std::unordered_map<const PickleValue*, at::Tensor> tensors_;
};

std::string readRecord(ZipArchive& archive, const std::string& name, std::uint64_t limit) {
    if (archive.record(name).size > limit) throw Error("its record " + inQuotes(name) + " is too large");
    return archive.read(name);
}

}  // namespace

c10::IValue readTorchSave(std::string_view content) {
    const at::NoGradGuard noGrad;
    try {
        ZipArchive archive(content);
        if (!archive.contains("data.pkl")) throw Error("it is a zip archive without a record 'data.pkl'");
        if (archive.contains("byteorder") && readRecord(archive, "byteorder", 64) != "little")
            throw Error("it was saved by a big-endian machine; save it again on a little-endian one");
        const PickleDocument document(readRecord(archive, "data.pkl", kLargestPickle));
        return Restorer(archive).restore(document.root());
    } catch (const Error& e) {
        throw Error(std::string("it is not a file of tensors saved by torch.save (") + e.what() + ")");
    } catch (const std::exception& e) {
        throw Error("it is not a file of tensors saved by torch.save (" + firstSentence(e.what()) + ")");
    }
}

}  // namespace aotscope
