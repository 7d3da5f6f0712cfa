#include "program/inputs/example_inputs.h"

#include "aten/convert.h"
#include "aten/copy_tensor.h"
#include "aten/packed.h"
#include "program/files/declared_types.h"
#include "program/files/tensor_file.h"
#include "support/error.h"
#include "support/resident_memory.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/EmptyTensor.h>
#include <ATen/core/Dict.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/imag.h>

#include <optional>
#include <stdexcept>
#include <variant>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

/// A copy of the file's tensor, so that writes of a run and changes to the file do not affect each other.
at::Tensor fromFile(const fs::path& path, const LeafSpec& spec, const std::optional<c10::Device>& device) {
    const at::Tensor tensor = readTensor(path).detach();
    const auto differs = [&](const std::string& found, const std::string& expected) {
        throw Error("'" + path.string() + "' holds a tensor of " + found + "; the input spec says " + expected);
    };
    if (!spec.shapeOfFile && tensor.sizes() != c10::IntArrayRef(spec.shape))
        differs("sizes " + c10::str(tensor.sizes()), c10::str(c10::IntArrayRef(spec.shape)));
    if (!spec.dtypeOfFile && tensor.scalar_type() != toScalarType(spec.dtype))
        differs("dtype " + std::string(longName(toDType(tensor.scalar_type()))), std::string(longName(spec.dtype)));
    std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
    return copyTensor(tensor, storages, device);
}

/// The meta device does not reject views beyond the storage itself.
at::Tensor viewWithinStorage(const at::Tensor& base, c10::IntArrayRef sizes, c10::IntArrayRef strides, int64_t offset) {
    at::Tensor view = at::as_strided(base, sizes, strides, offset);
    const std::size_t needed =
        at::detail::computeStorageNbytes(sizes, strides, view.itemsize(), static_cast<std::size_t>(offset));
    if (needed > base.storage().nbytes())
        throw std::invalid_argument(c10::str("sizes ", sizes, " with strides ", strides, " and offset ", offset,
                                             " need ", needed, " bytes, the value has ", base.storage().nbytes()));
    return view;
}

class ValueMaker {
public:
    ValueMaker(std::uint64_t seed, c10::Device device, fs::path folder)
        : generator_(at::detail::createCPUGenerator(seed)), device_(device), folder_(std::move(folder)) {}

    at::Tensor leaf(const LeafSpec& spec) {
        const c10::Device device = deviceOf(spec);
        at::Tensor t = withDtype(spec, device).to(device);
        if (!spec.requiresGrad) return t;
        if (!t.is_floating_point() && !t.is_complex())
            throw Error("an input of dtype " + std::string(longName(spec.dtype)) +
                        " cannot require a gradient; only floating-point and complex inputs can");
        return t.set_requires_grad(true);
    }

    at::Tensor derived(const DerivedSpec& spec, const at::Tensor& base) {
        const auto refuse = [&] {
            throw std::invalid_argument("operation '" + spec.op + "' takes other \"args\": " + argumentsOf(spec.op));
        };
        try {
            return made(spec, base);
        } catch (const std::bad_variant_access&) {
            refuse();
        } catch (const std::out_of_range&) {
            refuse();
        } catch (const std::bad_optional_access&) {
            refuse();
        }
        return {};
    }

private:
    static std::string argumentsOf(const std::string& op) {
        if (op == "view" || op == "expand") return "a list of sizes, as in [[2, 3]]";
        if (op == "view_dtype") return "the name of a dtype, as in [\"int32\"]";
        if (op == "as_strided") return "sizes, strides and an offset, as in [[2, 3], [3, 1], 0]";
        if (op == "slice") return "a dimension, where it starts and ends, as in [0, 1, 4]";
        if (op == "select" || op == "transpose") return "two numbers, as in [0, 1]";
        return "a number, as in [2]";
    }

    at::Tensor made(const DerivedSpec& spec, const at::Tensor& base) {
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
        if (spec.op == "as_strided") return viewWithinStorage(base, ints(0), ints(1), k(2));
        if (spec.op == "expand") return base.expand(ints(0));
        if (spec.op == "detach") return base.detach();
        if (spec.op == "clone") return base.clone();
        if (spec.op == "conj") return base.conj();
        if (spec.op == "imag") return at::imag(base);
        return base.contiguous(base.dim() == 5 ? at::MemoryFormat::ChannelsLast3d : at::MemoryFormat::ChannelsLast);
    }

    /// Without memory, the meta device replaces the CPU.
    c10::Device deviceOf(const LeafSpec& spec) const {
        if (spec.device.empty()) return device_;
        const c10::Device wanted(spec.device);
        return device_.is_meta() && wanted.is_cpu() ? device_ : wanted;
    }

    at::Tensor withDtype(const LeafSpec& spec, c10::Device device) {
        if (device.is_meta() && !std::holds_alternative<Fill::File>(spec.fill.how))
            return at::empty(spec.shape, at::TensorOptions(toScalarType(spec.dtype)).device(device));
        const at::ScalarType type = toScalarType(spec.dtype);
        if (!spec.dtypeOfFile && at::isQIntType(type))
            throw Error("an input of dtype " + std::string(longName(spec.dtype)) +
                        " has a scale, which an input spec cannot give; quantize a tensor of floats in the model");
        if (isPacked(type) && !std::holds_alternative<Fill::File>(spec.fill.how)) return bits(spec.shape, type);
        const at::Tensor tensor = fill(spec);
        return spec.dtypeOfFile ? tensor : tensor.to(toScalarType(spec.dtype));
    }

    at::Tensor bits(const std::vector<std::int64_t>& shape, at::ScalarType type) {
        return at::empty(shape, integersOf(type)).random_(0, 256, generator_).view(type);
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
                // Integers and booleans are 0 or 1: normal deviates would be meaningless.
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
            at::Tensor operator()(const Fill::File& f) const { return self.file(f, spec); }
        };
        return std::visit(Maker{*this, spec, floating}, spec.fill.how);
    }

    at::Tensor file(const Fill::File& file, const LeafSpec& spec) const {
        return fromFile(folder_ / file.path, spec, device_.is_meta() ? std::optional(device_) : std::nullopt);
    }

    at::Generator generator_;
    c10::Device device_;
    fs::path folder_;
};

/// Lists in the spec become tuples, dicts become dicts from string to Any; asDeclared() gives them their types.
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

/// Overcommitted memory would end the process instead of raising an error.
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
    result.values = asDeclared(std::move(result.values), declared);
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

}  // namespace aotscope
