#include "program/example_inputs.h"

#include "aten/convert.h"
#include "program/tensor_file.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"
#include "support/resident_memory.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Dict.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/imag.h>

#include <sstream>

namespace aotscope {

namespace {

namespace fs = std::filesystem;
/// A copy of the file's tensor: what a run writes and what happens to the file later concern only one of them.
at::Tensor fromFile(const fs::path& path, const LeafSpec& spec) {
    const at::Tensor tensor = readTensor(path).detach();
    const auto differs = [&](const std::string& found, const std::string& expected) {
        throw Error("'" + path.string() + "' holds a tensor of " + found + "; the input spec says " + expected);
    };
    if (!spec.shapeOfFile && tensor.sizes() != c10::IntArrayRef(spec.shape))
        differs("sizes " + c10::str(tensor.sizes()), c10::str(c10::IntArrayRef(spec.shape)));
    if (!spec.dtypeOfFile && tensor.scalar_type() != toScalarType(spec.dtype))
        differs("dtype " + std::string(longName(toDType(tensor.scalar_type()))), std::string(longName(spec.dtype)));
    std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
    return copyTensor(tensor, storages);
}

class ValueMaker {
public:
    ValueMaker(std::uint64_t seed, c10::Device device, fs::path folder)
        : generator_(at::detail::createCPUGenerator(seed)), device_(device), folder_(std::move(folder)) {}

    at::Tensor leaf(const LeafSpec& spec) {
        at::Tensor t = withDtype(spec).to(spec.device.empty() ? device_ : c10::Device(spec.device));
        if (!spec.requiresGrad) return t;
        if (!t.is_floating_point() && !t.is_complex())
            throw Error("an input of dtype " + std::string(longName(spec.dtype)) +
                        " cannot require a gradient; only floating-point and complex inputs can");
        return t.set_requires_grad(true);
    }

    at::Tensor derived(const DerivedSpec& spec, const at::Tensor& base) {
        const auto n = [&](std::size_t i) { return std::get<double>(spec.args.at(i)); };
        const auto k = [&](std::size_t i) { return static_cast<int64_t>(n(i)); };
        const auto ints = [&](std::size_t i) { return std::get<std::vector<std::int64_t>>(spec.args.at(i)); };
        if (spec.op == "add_scalar") return base.add(n(0));
        if (spec.op == "mul_scalar") return base.mul(n(0));
        if (spec.op == "view") return base.view(ints(0));
        if (spec.op == "view_dtype")
            return base.view(toScalarType(dtypeFromName(std::get<std::string>(spec.args.at(0))).value()));
        if (spec.op == "select") return base.select(k(0), k(1));
        if (spec.op == "slice") return base.slice(k(0), k(1), k(2), spec.args.size() > 3 ? k(3) : 1);
        if (spec.op == "transpose") return base.transpose(k(0), k(1));
        if (spec.op == "as_strided") return at::as_strided(base, ints(0), ints(1), k(2));
        if (spec.op == "expand") return base.expand(ints(0));
        if (spec.op == "detach") return base.detach();
        if (spec.op == "clone") return base.clone();
        if (spec.op == "conj") return base.conj();
        if (spec.op == "imag") return at::imag(base);
        return base.contiguous(base.dim() == 5 ? at::MemoryFormat::ChannelsLast3d : at::MemoryFormat::ChannelsLast);
    }

private:
    at::Tensor withDtype(const LeafSpec& spec) {
        const at::Tensor tensor = fill(spec);
        return spec.dtypeOfFile ? tensor : tensor.to(toScalarType(spec.dtype));
    }

    at::Tensor fill(const LeafSpec& spec) {
        const auto floating = at::TensorOptions().dtype(at::kFloat);
        struct Maker {
            ValueMaker& self;
            const LeafSpec& spec;
            at::TensorOptions floating;
            at::Tensor operator()(Fill::Plain p) const {
                if (p == Fill::Plain::zeros) return at::empty(spec.shape, floating).zero_();
                if (p == Fill::Plain::ones) return at::empty(spec.shape, floating).fill_(1);
                // Integers and booleans get 0 or 1: a normal deviate has no meaning there.
                if (!at::isFloatingType(toScalarType(spec.dtype)) && !at::isComplexType(toScalarType(spec.dtype)))
                    return at::empty(spec.shape, floating).random_(0, 2, self.generator_);
                const at::Tensor t = at::empty(spec.shape, floating);
                return p == Fill::Plain::rand ? t.uniform_(0, 1, self.generator_) : t.normal_(0, 1, self.generator_);
            }
            at::Tensor operator()(const Fill::Randint& r) const {
                return at::empty(spec.shape, at::kLong).random_(r.low, r.high, self.generator_);
            }
            at::Tensor operator()(const Fill::Pattern& p) const {
                const int64_t count = c10::multiply_integers(spec.shape);
                const at::Tensor k = at::arange(count, at::kDouble);
                return k.mul(p.mul).remainder(p.mod).add(p.off).mul(p.scale).view(spec.shape);
            }
            at::Tensor operator()(const Fill::File& f) const { return fromFile(self.folder_ / f.path, spec); }
        };
        return std::visit(Maker{*this, spec, floating}, spec.fill.how);
    }

    at::Generator generator_;
    c10::Device device_;
    fs::path folder_;
};

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

/// Lists of the spec become tuples, dicts become dicts of string to anything; `adapt` gives them their types.
c10::IValue itemValue(const InputItem& item, const std::vector<at::Tensor>& values) {
    struct Maker {
        const std::vector<at::Tensor>& values;
        c10::IValue operator()(InputItem::None) const { return {}; }
        c10::IValue operator()(InputItem::TensorRef t) const { return values[t.value]; }
        c10::IValue operator()(std::int64_t v) const { return v; }
        c10::IValue operator()(double v) const { return v; }
        c10::IValue operator()(bool v) const { return v; }
        c10::IValue operator()(const InputItem::List& list) const {
            std::vector<c10::IValue> elements;
            for (const auto& element : list) elements.push_back(itemValue(element, values));
            return c10::ivalue::Tuple::create(std::move(elements));
        }
        c10::IValue operator()(const InputItem::Dict& dict) const {
            c10::impl::GenericDict d(c10::StringType::get(), c10::AnyType::get());
            for (const auto& [key, element] : dict) d.insert(key, itemValue(element, values));
            return d;
        }
    };
    return std::visit(Maker{values}, item.data);
}

std::vector<c10::IValue> adaptAll(std::vector<c10::IValue> values, const std::vector<InputDeclaration>& declared) {
    for (std::size_t i = 0; i < std::min(values.size(), declared.size()); ++i)
        values[i] = adapt(values[i], declared[i].type, declared[i].name);
    return values;
}

c10::IValue listsToTuples(const c10::IValue& value) {
    if (!value.isList() && !value.isTuple()) return value;
    std::vector<c10::IValue> elements;
    if (value.isTuple())
        for (const auto& v : value.toTupleRef().elements()) elements.push_back(listsToTuples(v));
    else
        for (const auto& v : value.toListRef()) elements.push_back(listsToTuples(v));
    return c10::ivalue::Tuple::create(std::move(elements));
}

/// The content of a file of inputs; several named tensors as a dict.
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

}  // namespace

namespace {

/// Memory that is promised and not there ends the process, not in an error.
void requireRoomFor(const InputSpec& spec) {
    double bytes = 0;
    for (const auto& value : spec.values)
        if (const auto* leaf = std::get_if<LeafSpec>(&value); leaf && !leaf->shapeOfFile) {
            double leafBytes = static_cast<double>(std::max<std::size_t>(itemSize(leaf->dtype), sizeof(float)));
            for (const auto size : leaf->shape) leafBytes *= static_cast<double>(size);
            bytes += leafBytes;
        }
    const auto available = static_cast<double>(availableBytes());
    if (bytes > available)
        throw Error(c10::str("the input spec asks for tensors of ",
                             static_cast<std::uint64_t>(std::min(bytes, 1e18) / 1e6), " MB, this machine has ",
                             static_cast<std::uint64_t>(available / 1e6), " MB free; give smaller shapes"));
}

}  // namespace

ExampleInputs makeInputs(const InputSpec& spec, const std::vector<InputDeclaration>& declared, std::uint64_t seed,
                         c10::Device device, const fs::path& folder) {
    if (!device.is_meta()) requireRoomFor(spec);
    ValueMaker maker(seed, device, folder);
    ExampleInputs result;
    std::vector<at::Tensor> values;
    for (std::size_t i = 0; i < spec.values.size(); ++i) {
        try {
            if (const auto* leaf = std::get_if<LeafSpec>(&spec.values[i])) {
                values.push_back(maker.leaf(*leaf));
                result.leaves.push_back(values.back());
            } else {
                const auto& derived = std::get<DerivedSpec>(spec.values[i]);
                values.push_back(maker.derived(derived, values[derived.of]));
            }
        } catch (const Error&) {
            throw;
        } catch (const std::exception& e) {
            throw Error("value " + std::to_string(i) + " of the input spec cannot be made: " + firstSentence(e.what()));
        }
    }
    for (const auto& item : spec.inputs) result.values.push_back(itemValue(item, values));
    result.values = adaptAll(std::move(result.values), declared);
    return result;
}

ExampleInputs copyInputs(const std::vector<c10::IValue>& recorded, c10::Device device) {
    ExampleInputs result;
    std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
    for (const auto& value : recorded) {
        std::vector<c10::IValue> leaves;
        const Structure structure = flatten(value, leaves, "a recorded input");
        for (auto& leaf : leaves) {
            if (!leaf.isTensor() || !leaf.toTensor().defined()) continue;
            leaf = copyTensor(leaf.toTensor(), storages, device);
            result.leaves.push_back(leaf.toTensor());
        }
        std::size_t next = 0;
        result.values.push_back(unflatten(structure, leaves, next));
    }
    return result;
}

at::Tensor copyTensor(const at::Tensor& original, std::unordered_map<const c10::StorageImpl*, c10::Storage>& storages,
                      const std::optional<c10::Device>& device) {
    const at::NoGradGuard noGrad;
    const c10::Device target = device.value_or(original.device());
    auto& storage = storages[original.storage().unsafeGetStorageImpl()];
    if (!storage) {
        const auto bytes = static_cast<int64_t>(original.storage().nbytes());
        const at::Tensor whole =
            at::empty({0}, original.options().dtype(at::kByte)).set_(original.storage(), 0, {bytes}, {1});
        storage = whole.to(target, at::kByte, /*non_blocking=*/false, /*copy=*/true).storage();
    }
    at::Tensor copy = at::empty({0}, original.options().device(target))
                          .set_(storage, original.storage_offset(), original.sizes(), original.strides());
    if (original.is_conj()) copy._set_conj(true);
    if (original.is_neg()) copy._set_neg(true);
    return copy.set_requires_grad(original.requires_grad());
}

namespace {

/// Whether `value` is what torch.export takes as args and kwargs: ((a, b), {"c": c}).
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
    // The same could be the two inputs of a model.
    const auto dict = elements[1].toGenericDict();
    if (declared.size() != 2) return true;
    return declared[1].type->kind() != c10::TypeKind::DictType && std::all_of(dict.begin(), dict.end(), isInput);
}

/// The inputs of a call in the order in which the model declares them.
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

/// The inputs that `value`, read from `path`, gives.
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
    return adaptAll(std::move(inputs), declared);
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
