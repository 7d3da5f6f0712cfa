#include "io/python/literal.h"
#include "io/python/text.h"
#include "support/joined.h"

#include <nlohmann/json.hpp>

#include <set>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::string_view kOfSafetensors = ".safetensors";

bool isDrawn(const Fill& fill) {
    const auto* plain = std::get_if<Fill::Plain>(&fill.how);
    return plain ? *plain == Fill::Plain::randn || *plain == Fill::Plain::rand
                 : std::holds_alternative<Fill::Randint>(fill.how);
}

bool isIntegral(DType dtype) {
    const std::string_view name = longName(dtype);
    return name == "bool" || name.starts_with("int") || name.starts_with("uint");
}

std::string dtypeText(DType dtype) { return "torch." + std::string(longName(dtype)); }

/// Writes code that draws and converts elements like makeInputs(), so that the numbers are the same.
class InputWriter {
public:
    InputWriter(const InputSpec& spec, const std::vector<std::string>& names, const Options& options)
        : spec_(spec), options_(options), dims_(nameDimensions()), names_(nameValues(names)) {}

    std::string text() {
        std::string lines;
        for (std::size_t i = 0; i < dims_.size(); ++i)
            lines += dims_[i] + " = " + std::to_string(spec_.dims[i].hint) + "\n";
        bool drawn = false;
        for (std::size_t i = 0; i < spec_.values.size(); ++i) {
            const auto* leafSpec = std::get_if<LeafSpec>(&spec_.values[i]);
            lines += names_[i] + " = " + (leafSpec ? leaf(*leafSpec) : derived(std::get<DerivedSpec>(spec_.values[i])));
            lines += "\n";
            drawn = drawn || (leafSpec && isDrawn(leafSpec->fill));
        }
        lines += "args = (" + joined(spec_.inputs, ", ", [&](const InputItem& item) { return itemText(item); });
        lines += spec_.inputs.size() == 1 ? ",)\n" : ")\n";
        std::string head = imports_ + "import torch\n" + fromImports_ + "\n";
        if (drawn) head += "torch.manual_seed(" + std::to_string(options_.seed) + ")\n";
        return head + lines + whereFrom() + dynamicShapes();
    }

private:
    std::string unique(std::string name) {
        while (!taken_.insert(name).second) name += '_';
        return name;
    }

    std::vector<std::string> nameDimensions() {
        std::vector<std::string> names;
        for (const NamedDimension& dimension : spec_.dims) names.push_back(unique(pythonName(dimension.name)));
        return names;
    }

    /// A value that is a whole input has the input's name.
    std::vector<std::string> nameValues(const std::vector<std::string>& inputs) {
        std::vector<std::string> names(spec_.values.size());
        for (std::size_t i = 0; i < spec_.inputs.size() && i < inputs.size(); ++i) {
            const auto* tensor = std::get_if<InputItem::TensorRef>(&spec_.inputs[i].data);
            if (tensor && names[tensor->value].empty()) names[tensor->value] = unique(pythonName(inputs[i]));
        }
        for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i].empty()) names[i] = unique("value_" + std::to_string(i));
        return names;
    }

    /// The variable of a dimension, or the size.
    std::string size(std::int64_t size, const std::string& name) const {
        for (std::size_t i = 0; i < dims_.size(); ++i)
            if (!name.empty() && spec_.dims[i].name == name) return dims_[i];
        return std::to_string(size);
    }

    std::vector<std::string> sizes(const std::vector<std::int64_t>& sizes,
                                   const std::vector<std::string>& names) const {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            texts.push_back(size(sizes[i], i < names.size() ? names[i] : std::string()));
        return texts;
    }

    static std::string tuple(const std::vector<std::string>& elements) {
        return "(" + joined(elements, ", ") + (elements.size() == 1 ? ",)" : ")");
    }

    std::string leaf(const LeafSpec& spec) {
        const auto [made, dtype] = filled(spec);
        std::string text = made;
        if (!spec.dtypeOfFile && dtype != spec.dtype) text += ".to(" + dtypeText(spec.dtype) + ")";
        const std::string& device = spec.device.empty() ? options_.device : spec.device;
        if (device != "cpu") text += ".to(" + pythonLiteral(device) + ")";
        return spec.requiresGrad ? text + ".requires_grad_()" : text;
    }

    /// The expression, and its dtype.
    std::pair<std::string, DType> filled(const LeafSpec& spec) {
        const std::vector<std::string> shape = sizes(spec.shape, spec.dimNames);
        const auto drawn = [&](std::int64_t low, std::int64_t high) {
            return std::pair(
                "torch.randint(" + std::to_string(low) + ", " + std::to_string(high) + ", " + tuple(shape) + ")",
                DType::i64);
        };
        if (const auto* range = std::get_if<Fill::Randint>(&spec.fill.how)) return drawn(range->low, range->high);
        if (const auto* file = std::get_if<Fill::File>(&spec.fill.how)) return {ofFile(file->path), spec.dtype};
        if (const auto* pattern = std::get_if<Fill::Pattern>(&spec.fill.how))
            return {ofPattern(*pattern, shape), DType::f64};
        const auto plain = std::get<Fill::Plain>(spec.fill.how);
        if (plain == Fill::Plain::zeros || plain == Fill::Plain::ones) {
            const std::string function = plain == Fill::Plain::zeros ? "torch.zeros(" : "torch.ones(";
            const std::string dtype = spec.dtype == DType::f32 ? "" : ", dtype=" + dtypeText(spec.dtype);
            return {function + tuple(shape) + dtype + ")", spec.dtype};
        }
        if (isIntegral(spec.dtype)) return drawn(0, 2);
        return {(plain == Fill::Plain::rand ? "torch.rand(" : "torch.randn(") + tuple(shape) + ")", DType::f32};
    }

    static std::string ofPattern(const Fill::Pattern& pattern, const std::vector<std::string>& shape) {
        return "((torch.arange(" + (shape.empty() ? "1" : joined(shape, " * ")) + ", dtype=torch.float64) * " +
               pythonLiteral(pattern.mul) + " % " + pythonLiteral(pattern.mod) + " + " + pythonLiteral(pattern.off) +
               ") * " + pythonLiteral(pattern.scale) + ").view(" + tuple(shape) + ")";
    }

    std::string ofFile(const std::string& name) {
        const std::string path = (options_.inputFolder / name).string();
        if (path.ends_with(".npy")) {
            imports_ = "import numpy\n";
            return "torch.from_numpy(numpy.load(" + pythonLiteral(path) + "))";
        }
        const auto end = path.rfind(kOfSafetensors);
        if (end == std::string::npos) return "torch.load(" + pythonLiteral(path) + ")";
        fromImports_ = "from safetensors.torch import load_file\n";
        const std::size_t length = end + kOfSafetensors.size();
        const std::string loaded = "load_file(" + pythonLiteral(path.substr(0, length)) + ")";
        if (path.size() == length) return "next(iter(" + loaded + ".values()))";
        return loaded + "[" + pythonLiteral(path.substr(length + 1)) + "]";
    }

    std::string argument(const DerivedSpec& spec, std::size_t i) const {
        struct Printer {
            const InputWriter& self;
            const std::vector<std::string>& names;
            std::string operator()(double number) const { return std::to_string(static_cast<std::int64_t>(number)); }
            std::string operator()(const std::vector<std::int64_t>& list) const {
                return tuple(self.sizes(list, names));
            }
            std::string operator()(const std::string& dtype) const {
                const auto known = dtypeFromName(dtype);
                return known ? dtypeText(*known) : dtype;
            }
        };
        static const std::vector<std::string> none;
        const bool factor = spec.op == "add_scalar" || spec.op == "mul_scalar";
        if (const auto* number = std::get_if<double>(&spec.args[i]); number && factor) return pythonLiteral(*number);
        return std::visit(Printer{*this, i < spec.argNames.size() ? spec.argNames[i] : none}, spec.args[i]);
    }

    std::string derived(const DerivedSpec& spec) const {
        const std::string& base = names_[spec.of];
        std::vector<std::string> args;
        for (std::size_t i = 0; i < spec.args.size(); ++i) args.push_back(argument(spec, i));
        const std::string list = joined(args, ", ");
        if (spec.op == "add_scalar") return base + " + " + list;
        if (spec.op == "mul_scalar") return base + " * " + list;
        if (spec.op == "slice") return "torch.ops.aten.slice(" + base + ", " + list + ")";
        if (spec.op == "imag") return base + ".imag";
        if (spec.op == "channels_last") {
            const bool volumes = rank(spec.of) == 5;
            return base + ".contiguous(memory_format=torch.channels_last" + (volumes ? "_3d)" : ")");
        }
        return base + "." + (spec.op == "view_dtype" ? "view" : spec.op) + "(" + list + ")";
    }

    /// The number of dimensions of a value, if its spec gives it.
    std::size_t rank(std::size_t value) const {
        const ValueSpec& spec = spec_.values[value];
        if (const auto* leafSpec = std::get_if<LeafSpec>(&spec)) return leafSpec->shape.size();
        const auto& derivedSpec = std::get<DerivedSpec>(spec);
        for (const DerivedArgument& arg : derivedSpec.args)
            if (const auto* list = std::get_if<std::vector<std::int64_t>>(&arg)) return list->size();
        const std::size_t base = rank(derivedSpec.of);
        return derivedSpec.op == "select" && base > 0 ? base - 1 : base;
    }

    std::string itemText(const InputItem& item) const {
        struct Printer {
            const InputWriter& self;
            std::string operator()(InputItem::None) const { return "None"; }
            std::string operator()(InputItem::TensorRef tensor) const { return self.names_[tensor.value]; }
            std::string operator()(std::int64_t number) const { return std::to_string(number); }
            std::string operator()(double number) const { return pythonLiteral(number); }
            std::string operator()(bool flag) const { return flag ? "True" : "False"; }
            std::string operator()(const InputItem::List& list) const {
                return "[" + joined(list, ", ", [&](const InputItem& element) { return self.itemText(element); }) + "]";
            }
            std::string operator()(const InputItem::Dict& dict) const {
                const auto entry = [&](const InputItem::Entry& one) {
                    return pythonLiteral(one.key) + ": " + self.itemText(one.item);
                };
                return "{" + joined(dict, ", ", entry) + "}";
            }
        };
        return std::visit(Printer{*this}, item.data);
    }

    /// The source of the elements, which a spec of shapes does not have.
    std::string whereFrom() const {
        if (const auto* file = std::get_if<std::filesystem::path>(&options_.inputs))
            return pythonComment("their shapes are those of " + file->string() + ", whose elements are others");
        const bool own = std::holds_alternative<std::monostate>(options_.inputs) && options_.model.ends_with(".pt2");
        return own ? "# those of the file: args, kwargs = torch.export.load(" + pythonLiteral(options_.model) +
                         ").example_inputs\n"
                   : "";
    }

    std::string dynamicShapes() const {
        if (spec_.dims.empty()) return {};
        std::string text = "\n# torch.export.export(model, args, dynamic_shapes=dynamic_shapes)\ndims = {\n";
        for (const NamedDimension& dimension : spec_.dims) {
            text += "    " + pythonLiteral(dimension.name) + ": torch.export.Dim(" +
                    pythonLiteral(pythonName(dimension.name));
            if (dimension.min != NamedDimension().min) text += ", min=" + std::to_string(dimension.min);
            if (dimension.max != NamedDimension().max) text += ", max=" + std::to_string(dimension.max);
            text += "),\n";
        }
        text += "}\ndynamic_shapes = (";
        text += joined(spec_.inputs, ", ", [&](const InputItem& item) { return dynamicText(item); });
        return text + (spec_.inputs.size() == 1 ? ",)\n" : ")\n");
    }

    std::string dynamicText(const InputItem& item) const {
        if (const auto* list = std::get_if<InputItem::List>(&item.data))
            return "[" + joined(*list, ", ", [&](const InputItem& element) { return dynamicText(element); }) + "]";
        if (const auto* dict = std::get_if<InputItem::Dict>(&item.data)) {
            const auto entry = [&](const InputItem::Entry& one) {
                return pythonLiteral(one.key) + ": " + dynamicText(one.item);
            };
            return "{" + joined(*dict, ", ", entry) + "}";
        }
        const auto* tensor = std::get_if<InputItem::TensorRef>(&item.data);
        const auto* leafSpec = tensor ? std::get_if<LeafSpec>(&spec_.values[tensor->value]) : nullptr;
        std::string sizes;
        for (std::size_t i = 0; leafSpec && i < leafSpec->dimNames.size(); ++i)
            if (const std::string& name = leafSpec->dimNames[i]; !name.empty())
                sizes += (sizes.empty() ? "" : ", ") + std::to_string(i) + ": dims[" + pythonLiteral(name) + "]";
        return sizes.empty() ? "None" : "{" + sizes + "}";
    }

    const InputSpec& spec_;
    const Options& options_;
    std::set<std::string> taken_ = {"args", "dims", "dynamic_shapes", "load_file", "numpy", "torch"};
    std::string imports_, fromImports_;
    std::vector<std::string> dims_, names_;
};

}  // namespace

std::string inputsAsPython(const InputSpec& spec, const std::vector<std::string>& names, const Options& options) {
    return InputWriter(spec, names, options).text();
}

}  // namespace aotscope
