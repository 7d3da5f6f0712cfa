#include "load/exported/weights.h"

#include "aten/convert.h"
#include "load/exported/random_weights.h"
#include "load/exported/uses.h"
#include "load/exported/weight_binding.h"
#include "program/files/torch_save.h"
#include "support/error.h"
#include "support/formatted.h"
#include "support/quoted.h"
#include "support/resident_memory.h"

#include <ATen/ops/empty.h>

#include <cstring>
#include <limits>
#include <span>

namespace aotscope {

namespace {

using exported::Payload;
using exported::TensorMeta;

constexpr std::size_t kAlignment = 64;

/// The number of items from the start of a storage to the last element; -1 on overflow.
std::int64_t itemsOf(at::IntArrayRef sizes, at::IntArrayRef strides, std::int64_t offset) {
    std::int64_t last = offset, elements = 1;
    bool bad = offset < 0, empty = false;
    for (std::size_t i = 0; i < sizes.size() && !bad; ++i) {
        std::int64_t step = 0;
        empty = empty || sizes[i] == 0;
        bad = sizes[i] < 0 || strides[i] < 0 ||
              __builtin_mul_overflow(elements, std::max<std::int64_t>(sizes[i], 1), &elements) ||
              __builtin_mul_overflow(std::max<std::int64_t>(sizes[i] - 1, 0), strides[i], &step) ||
              __builtin_add_overflow(last, step, &last);
    }
    if (bad || last == std::numeric_limits<std::int64_t>::max()) return -1;
    return empty ? 0 : last + 1;
}

/// Where a tensor's elements are in its storage.
struct Extent {
    std::vector<std::int64_t> sizes, strides;
    std::int64_t offset = 0;
    std::size_t bytes = 0;  ///< of the storage, up to the last element

    Extent(const TensorMeta& meta, const std::string& name) {
        for (const auto& size : meta.sizes) sizes.push_back(size.value);
        for (const auto& stride : meta.strides) strides.push_back(stride.value);
        offset = meta.storageOffset.value;
        if (meta.layout != Layout::strided)
            throw Error("tensor " + inQuotes(name) + " has the layout " + std::string(aotscope::name(meta.layout)) +
                        "; expected dense (strided) tensors");
        const std::int64_t items = sizes.size() == strides.size() ? itemsOf(sizes, strides, offset) : -1;
        std::int64_t total = 0;
        if (items < 0 || __builtin_mul_overflow(items, static_cast<std::int64_t>(itemSize(meta.dtype)), &total))
            throw Error("tensor " + inQuotes(name) + " has impossible sizes or strides; save the model again");
        bytes = static_cast<std::size_t>(total);
        requireFewCopies(name, static_cast<std::int64_t>(itemSize(meta.dtype)));
    }

private:
    /// A view may have more elements than its storage; copies of it must still fit.
    void requireFewCopies(const std::string& name, std::int64_t shown) const {
        constexpr std::int64_t mostMore = std::int64_t{128} << 20;
        bool possible = true;
        for (const std::int64_t size : sizes)
            possible = possible && !__builtin_mul_overflow(shown, std::max<std::int64_t>(size, 1), &shown);
        if (bytes > 0 && (!possible || shown - static_cast<std::int64_t>(bytes) > mostMore))
            throw Error("tensor " + inQuotes(name) + " shows " + (possible ? std::to_string(shown) : "more than 2^63") +
                        " bytes of " + std::to_string(bytes) +
                        "; save the model again with the tensor made contiguous");
    }
};

/// A storage over memory that `owner` keeps alive.
template <typename Owner>
c10::Storage storageOver(std::span<std::byte> bytes, const std::shared_ptr<Owner>& owner) {
    auto* keeper = new std::shared_ptr<Owner>(owner);
    at::DataPtr data(
        bytes.data(), keeper, [](void* kept) { delete static_cast<std::shared_ptr<Owner>*>(kept); }, at::kCPU);
    return {c10::Storage::use_byte_size_t(), bytes.size(), std::move(data), nullptr, false};
}

at::Tensor tensorOver(const c10::Storage& storage, DType dtype, const Extent& extent) {
    at::Tensor tensor =
        at::detail::make_tensor<c10::TensorImpl>(c10::Storage(storage), c10::DispatchKeySet(c10::DispatchKey::CPU),
                                                 caffe2::TypeMeta::fromScalarType(toScalarType(dtype)));
    tensor.unsafeGetTensorImpl()->set_sizes_and_strides(extent.sizes, extent.strides, extent.offset);
    return tensor;
}

/// Zeroed memory whose pages are allocated on first touch.
class LazyMemory {
public:
    explicit LazyMemory(std::size_t size) {
        void* start = mapLazily(size);
        if (!start)
            throw Error("the weights that the file lacks would take " + formatBytes(static_cast<std::int64_t>(size)) +
                        ", more than this process can have");
        bytes_ = {static_cast<std::byte*>(start), size};
    }
    ~LazyMemory() { unmapLazy(bytes_.data(), bytes_.size()); }
    LazyMemory(const LazyMemory&) = delete;
    LazyMemory& operator=(const LazyMemory&) = delete;
    std::span<std::byte> bytes() const { return bytes_; }

private:
    std::span<std::byte> bytes_;
};

[[noreturn]] void refuse(const std::string& what, const std::exception& e) {
    throw Error(what + " cannot be read (" + firstSentence(e.what()) +
                "); save the program with plain tensors as weights: torch.export.save(program.run_decompositions(), "
                "'model.pt2') takes apart those of libraries such as torchao");
}

/// A tensor that torch.save wrote to its own file.
at::Tensor unpickled(std::string_view record, const std::string& name) {
    try {
        const c10::IValue value = readTorchSave(record);
        if (!value.isTensor() || !value.toTensor().defined()) throw Error("expected a tensor");
        return value.toTensor().detach();
    } catch (const std::exception& e) {
        refuse("tensor " + inQuotes(name), e);
    }
}

/// All tensors of a state_dict written by torch.save: the format of torch 2.8.
TensorsByName unpickledTogether(std::string_view content, const std::string& record) {
    try {
        const c10::IValue value = readTorchSave(content);
        if (!value.isGenericDict()) throw Error("expected a dict of tensors");
        TensorsByName tensors;
        for (const auto& entry : value.toGenericDict()) {
            if (!entry.key().isString() || !entry.value().isTensor() || !entry.value().toTensor().defined())
                throw Error("expected a dict of tensors");
            tensors.emplace(entry.key().toStringRef(), entry.value().toTensor());
        }
        return tensors;
    } catch (const std::exception& e) {
        refuse("its record " + inQuotes(record), e);
    }
}

std::vector<exported::Integer> integersOf(at::IntArrayRef values) {
    std::vector<exported::Integer> integers(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) integers[i].value = values[i];
    return integers;
}

/// The description of a tensor in newer files.
TensorMeta metaFrom(const at::Tensor& tensor) {
    TensorMeta meta;
    meta.dtype = toDType(tensor.scalar_type());
    meta.sizes = integersOf(tensor.sizes());
    meta.strides = integersOf(tensor.strides());
    meta.storageOffset.value = tensor.storage_offset();
    meta.requiresGrad = tensor.requires_grad();
    return meta;
}

void requireTruthValues(std::string_view record, const std::string& name) {
    const auto valid = [](unsigned char b) { return b <= 1; };
    if (!std::all_of(record.begin(), record.end(), valid))
        throw Error("tensor " + inQuotes(name) + " holds booleans other than 0 and 1; save the model again");
}

/// Whether `input` is a constant that the program only copies.
bool isLiteral(const exported::InputSpec& input, const exported::Uses& uses) {
    const auto* reference = input.value.reference();
    if (input.kind != exported::InputSpec::Kind::constant || !reference) return false;
    const auto it = uses.find(reference->name);
    return it != uses.end() && std::all_of(it->second.begin(), it->second.end(), [](const exported::Node* node) {
               return node && node->target == "torch.ops.aten.lift_fresh_copy.default";
           });
}

class WeightLoader {
public:
    WeightLoader(std::shared_ptr<MappedFile> file, const ZipArchive& archive, const std::string& modelName)
        : file_(std::move(file)), archive_(archive) {
        weights_ = payloadsIn("weights", modelName);
        constants_ = payloadsIn("constants", modelName);
    }

    const TensorMeta& metaOf(const std::string& name) const {
        const Payload& payload = payloadOf(name);
        if (!payload.meta) throw Error(inQuotes(name) + " is a custom object, expected a tensor; export without it");
        return *payload.meta;
    }

    /// Equal for two tensors that are the same view of the same memory.
    std::string identityOf(const std::string& name) const {
        const TensorMeta& meta = metaOf(name);
        if (lacksValues(name)) return "=" + name;
        const Extent extent(meta, name);
        const auto together = together_.find(name);
        const std::string memory =
            together == together_.end() ? recordOf(name) : c10::str(together->second.storage().unsafeGetStorageImpl());
        return memory + c10::str(" ", extent.sizes, extent.strides, extent.offset, int(meta.dtype));
    }

    bool lacksValues(const std::string& name) const {
        return !payloadOf(name).pickled && Extent(metaOf(name), name).bytes > 0 &&
               archive_.record(recordOf(name)).size == 0;
    }

    at::Tensor load(const std::string& name) {
        const TensorMeta& meta = metaOf(name);
        if (const auto it = together_.find(name); it != together_.end()) return it->second.detach();
        const std::string record = recordOf(name);
        if (payloadOf(name).pickled) return unpickled(archive_.bytes(record), name);
        const Extent extent(meta, name);
        if (const auto held = archive_.record(record).size; extent.bytes > held)
            throw Error("tensor " + inQuotes(name) + " needs " + std::to_string(extent.bytes) + " bytes, its record " +
                        inQuotes(record) + " has " + std::to_string(held) + "; save the model again");
        if (meta.dtype == DType::b8) requireTruthValues(archive_.bytes(record), name);
        return tensorOver(storageOf(record), meta.dtype, extent);
    }

    /// Checks `given` against the parameters and persistent buffers that the program uses.
    void requireFit(const exported::Document& document, const TensorsByName& given) const {
        const auto used = exported::usesIn(document.graph);
        std::vector<WantedTensor> wanted;
        for (const auto& input : document.inputs) {
            if (!weights_.contains(input.target) || !input.value.reference()) continue;
            if (!used.contains(input.value.reference()->name) && !given.contains(input.target)) continue;
            const TensorMeta& meta = metaOf(input.target);
            wanted.push_back({input.target, Extent(meta, input.target).sizes, meta.dtype});
        }
        requireTensors(given, wanted);
    }
    bool isWeight(const std::string& name) const { return weights_.contains(name); }

private:
    std::map<std::string, Payload> payloadsIn(const std::string& folder, const std::string& modelName) {
        const std::string start = "data/" + folder + "/" + modelName, config = start + "_" + folder + "_config.json",
                          record = start + ".pt";
        if (archive_.contains(config)) return exported::readPayloads(archive_.bytes(config), config);
        std::map<std::string, Payload> payloads;
        if (!archive_.contains(record) || archive_.record(record).size == 0) return payloads;
        for (auto& [name, tensor] : unpickledTogether(archive_.bytes(record), record)) {
            payloads[name] = {record, true, metaFrom(tensor)};
            together_.emplace(name, tensor);
        }
        return payloads;
    }

    const Payload& payloadOf(const std::string& name) const {
        for (const auto* payloads : {&weights_, &constants_})
            if (const auto it = payloads->find(name); it != payloads->end()) return it->second;
        throw Error("tensor " + inQuotes(name) + " is missing; save the model again");
    }

    std::string recordOf(const std::string& name) const {
        return (weights_.contains(name) ? "data/weights/" : "data/constants/") + payloadOf(name).record;
    }

    const c10::Storage& storageOf(const std::string& record) {
        const auto [it, isNew] = storages_.try_emplace(record);
        if (!isNew) return it->second;
        const std::string_view bytes = archive_.bytes(record);
        const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::max_align_t) == 0;
        if (aligned && !archive_.record(record).packed) return it->second = storageOver(inFile(bytes), file_);
        const at::Tensor copy = at::empty({static_cast<std::int64_t>(bytes.size())}, at::kByte);
        std::memcpy(copy.data_ptr(), bytes.data(), bytes.size());
        return it->second = copy.storage();
    }

    /// The bytes of `record`, writable: the file itself does not change.
    std::span<std::byte> inFile(std::string_view record) const {
        return std::as_writable_bytes(std::span(file_->data() + (record.data() - file_->text().data()), record.size()));
    }

    std::shared_ptr<MappedFile> file_;
    const ZipArchive& archive_;
    TensorsByName together_;  ///< the tensors of a combined record
    std::map<std::string, Payload> weights_, constants_;
    std::map<std::string, c10::Storage> storages_;
};

/// Allocates memory for all tensors of `state` without any. Returns its size.
std::size_t allocateEmpty(std::vector<StateTensor>& state, const WeightLoader& loader) {
    std::size_t total = 0;
    std::vector<std::pair<StateTensor*, std::size_t>> places;
    for (StateTensor& tensor : state) {
        if (tensor.value.defined()) continue;
        places.emplace_back(&tensor, total);
        const std::size_t bytes = Extent(loader.metaOf(tensor.name), tensor.name).bytes;
        if (__builtin_add_overflow(total, bytes + kAlignment - bytes % kAlignment, &total))
            throw Error("tensor " + inQuotes(tensor.name) + " has impossible sizes; save the model again");
    }
    if (places.empty()) return 0;
    const auto memory = std::make_shared<const LazyMemory>(total);
    for (auto& [tensor, offset] : places) {
        const TensorMeta& meta = loader.metaOf(tensor->name);
        const Extent extent(meta, tensor->name);
        tensor->value =
            tensorOver(storageOver(memory->bytes().subspan(offset, extent.bytes), memory), meta.dtype, extent);
    }
    return total;
}

}  // namespace

ExportedWeights::ExportedWeights(const std::shared_ptr<MappedFile>& file, const ZipArchive& archive,
                                 const exported::Document& document, const std::string& modelName,
                                 const TensorsByName* given)
    : stateOfInput_(document.inputs.size()), literals_(document.inputs.size()) {
    using Kind = exported::InputSpec::Kind;
    WeightLoader loader(file, archive, modelName);
    if (given) loader.requireFit(document, *given);
    const auto uses = exported::usesIn(document.graph);
    std::map<std::pair<std::string, Role>, std::size_t> known;
    for (const Kind kind : {Kind::parameter, Kind::buffer, Kind::constant})
        for (std::size_t i = 0; i < document.inputs.size(); ++i) {
            if (document.inputs[i].kind != kind) continue;
            const std::string& name = document.inputs[i].target;
            if (isLiteral(document.inputs[i], uses) && !loader.lacksValues(name)) {
                literals_[i] = loader.load(name);
                continue;
            }
            const Role role = kind == Kind::parameter ? Role::parameter : Role::buffer;
            const bool replaced = given && loader.isWeight(name) && given->contains(name);
            const auto [it, isNew] = known.emplace(std::pair(loader.identityOf(name), role), state_.size());
            stateOfInput_[i] = it->second;
            if (!isNew) continue;
            state_.push_back({name, role, {}});
            if (replaced) state_.back().value = given->at(name).detach();
            else if (!loader.lacksValues(name)) state_.back().value = loader.load(name);
        }
    std::vector<bool> wasEmpty;
    for (const auto& tensor : state_) wasEmpty.push_back(!tensor.value.defined());
    emptyBytes_ = allocateEmpty(state_, loader);
    for (std::size_t i = 0; i < state_.size(); ++i) {
        at::Tensor& value = state_[i].value;
        if (loader.metaOf(state_[i].name).requiresGrad && (value.is_floating_point() || value.is_complex()))
            value.set_requires_grad(true);
        if (wasEmpty[i]) empty_.push_back(state_[i]);
    }
}

void ExportedWeights::fill() const {
    std::call_once(filled_, [this] {
        const auto available = static_cast<std::size_t>(availableBytes());
        if (emptyBytes_ > available)
            throw Error("the weights that the file lacks take " + formatBytes(static_cast<std::int64_t>(emptyBytes_)) +
                        ", this machine has " + formatBytes(static_cast<std::int64_t>(available)) +
                        " free: the program can be traced here, but not run");
        for (const auto& tensor : empty_) fillWithRandomWeights(tensor.value, tensor.name);
    });
}

}  // namespace aotscope
