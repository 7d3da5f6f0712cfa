#include "support/error.h"
#include "support/names.h"
#include "verify/model_run.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Each of them is traced at several values.
constexpr std::size_t kMostSizes = 64;

/// Splits "x.0" into the name of an input leaf and a dimension; nothing if it has another form.
std::optional<std::pair<std::string, std::int64_t>> splitDimension(const std::string& name) {
    const auto dot = name.rfind('.');
    if (dot == std::string::npos || dot + 1 == name.size() || name.size() - dot > 4) return std::nullopt;
    const std::string digits = name.substr(dot + 1);
    if (digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    return std::make_pair(name.substr(0, dot), std::stoll(digits));
}

}  // namespace

void ModelRun::addSymbol(Symbol symbol, std::string alias) {
    symbol.min = std::max<std::int64_t>(symbol.min, 2);
    if (symbol.max >= NamedDimension::kLargest) symbol.max = Symbol::kNoMax;
    if (symbol.hint < 2) return;  // 0 and 1 are specialized
    if (symbol.hint < symbol.min || symbol.hint > symbol.max)
        throw Error("the size '" + alias + "' is " + std::to_string(symbol.hint) +
                    " in the example inputs, outside of " + std::to_string(symbol.min) + ".." +
                    std::to_string(symbol.max) + "; widen the range");
    symbols_.push_back(std::move(symbol));
    aliases_.push_back(std::move(alias));
}

void ModelRun::collectSymbols() {
    if (variable_)
        for (NamedDimension& d : variable_->dims) {
            addSymbol({newName(), d.hint, d.min, d.max, d.name, {}}, d.name);
            d.min = 0;
            d.max = NamedDimension::kLargest;
        }
    for (const DynamicDimension& d : model_.dynamicDimensions) {
        const c10::IValue& value = function_->exampleLeaves().at(function_->stateCount() + d.leaf);
        // An input that the spec derives from another value cannot be created with other sizes.
        if (!value.isTensor() || value.toTensor().dim() <= d.dimension || !vary(d.leaf, d.dimension, d.symbol))
            continue;
        if (std::find(aliases_.begin(), aliases_.end(), d.symbol) == aliases_.end())
            addSymbol({d.symbol, value.toTensor().size(d.dimension), d.min, d.max, sizeText(d.leaf, d.dimension), {}},
                      d.symbol);
    }
    for (const DynamicRange& range : options_.dynamic)
        if (!range.isAll()) addRange(range);
    if (std::ranges::any_of(options_.dynamic, &DynamicRange::isAll)) addAll();
}

std::string ModelRun::newName() const { return "s" + std::to_string(symbols_.size()); }

std::string ModelRun::sizeText(std::size_t leaf, std::int64_t dimension) const {
    return function_->leafNames().at(function_->stateCount() + leaf) + ".size(" + std::to_string(dimension) + ")";
}

/// Binds a dimension of an input to `alias`; false if the input cannot be created with other sizes.
bool ModelRun::vary(std::size_t leaf, std::int64_t dimension, const std::string& alias) {
    if (!variable_) {
        const auto same = std::ranges::find_if(
            varying_, [&](const VaryingDimension& v) { return v.leaf == leaf && v.dimension == dimension; });
        if (same != varying_.end()) return same->size == alias;
        varying_.push_back({alias, leaf, dimension});
        return true;
    }
    if (leaf >= variable_->inputs.size()) return false;
    const auto* item = std::get_if<InputItem::TensorRef>(&variable_->inputs[leaf].data);
    auto* made = item ? std::get_if<LeafSpec>(&variable_->values[item->value]) : nullptr;
    if (!made || function_->leafNames().size() - function_->stateCount() != variable_->inputs.size()) return false;
    made->dimNames.resize(made->shape.size());
    std::string& name = made->dimNames[static_cast<std::size_t>(dimension)];
    if (!name.empty()) return name == alias;
    name = alias;
    if (!findDimension(*variable_, alias))
        variable_->dims.push_back({alias, made->shape[static_cast<std::size_t>(dimension)]});
    return true;
}

void ModelRun::addRange(const DynamicRange& range) {
    const auto known = std::find(aliases_.begin(), aliases_.end(), range.name);
    if (known == aliases_.end()) return addDimension(range);
    Symbol& symbol = symbols_[static_cast<std::size_t>(known - aliases_.begin())];
    if (symbol.hint < range.min || symbol.hint > range.max)
        throw UsageError("the size '" + range.name + "' is " + std::to_string(symbol.hint) +
                         " in the example inputs, outside of the range that --dynamic gives; widen the range");
    symbol.min = std::max<std::int64_t>(range.min, 2);
    symbol.max = range.max;
}

/// An integer input; its value is the size.
void ModelRun::addInteger(std::size_t leaf, const DynamicRange& range) {
    const std::size_t index = function_->stateCount() + leaf;
    const std::string& name = function_->leafNames()[index];
    const std::size_t before = symbols_.size();
    addSymbol({newName(), function_->exampleLeaves()[index].toInt(), range.min, range.max, name, {}}, name);
    if (symbols_.size() > before) integers_[leaf] = name;
}

/// A range for INPUT.DIMENSION makes that dimension dynamic on its own; one for an integer, the integer.
void ModelRun::addDimension(const DynamicRange& range) {
    const auto parts = splitDimension(range.name);
    const auto& names = function_->leafNames();
    const auto first = names.begin() + static_cast<std::ptrdiff_t>(function_->stateCount());
    if (const auto whole = std::find(first, names.end(), range.name);
        whole != names.end() && function_->exampleLeaves()[static_cast<std::size_t>(whole - names.begin())].isInt())
        return addInteger(static_cast<std::size_t>(whole - first), range);
    const auto leaf = parts ? std::find(first, names.end(), parts->first) : names.end();
    const auto index = static_cast<std::size_t>(leaf - first);
    const c10::IValue value =
        leaf == names.end() ? c10::IValue() : function_->exampleLeaves()[function_->stateCount() + index];
    const auto number = std::find(first, names.end(), range.name);
    if (number != names.end() &&
        !function_->exampleLeaves()[static_cast<std::size_t>(number - names.begin())].isTensor())
        throw UsageError(
            "--dynamic names '" + range.name +
            "', which is not an integer: floats and Booleans are constants of the graphs, with a guard for the "
            "value of the example; pass a tensor of no dimensions for one that varies");
    if (!value.isTensor() || value.toTensor().dim() <= parts->second)
        throw UsageError("--dynamic names '" + range.name +
                         "', which is not a size: name a dimension of the input spec" +
                         (aliases_.empty() ? "" : " (" + quotedNames(aliases_) + ")") + ", or INPUT.DIMENSION as in '" +
                         (first == names.end() ? "x" : *first) + ".0'");
    if (!vary(index, parts->second, range.name))
        throw UsageError("'" + range.name +
                         "' is not a dimension of a tensor that the input spec makes directly, or it has "
                         "another name there; name it in the spec, as in \"shape\": [\"batch\", 3]");
    addSymbol(
        {newName(), value.toTensor().size(parts->second), range.min, range.max, sizeText(index, parts->second), {}},
        range.name);
}

/// Dimensions of inputs derived from another value cannot be created with other sizes: they stay static.
void ModelRun::addAll() {
    const auto& leaves = function_->exampleLeaves();
    for (std::size_t leaf = 0; leaf + function_->stateCount() < leaves.size(); ++leaf) {
        const c10::IValue& value = leaves[function_->stateCount() + leaf];
        const std::string& name = function_->leafNames()[function_->stateCount() + leaf];
        if (value.isInt() && std::ranges::find(aliases_, name) == aliases_.end()) addInteger(leaf, {name});
        if (!value.isTensor() || !value.toTensor().defined()) continue;
        for (std::int64_t d = 0; d < value.toTensor().dim(); ++d) {
            const std::string alias = name + "." + std::to_string(d);
            const std::int64_t hint = value.toTensor().size(d);
            if (hint < 2 || std::ranges::find(aliases_, alias) != aliases_.end() || !vary(leaf, d, alias)) continue;
            addSymbol({newName(), hint, 2, Symbol::kNoMax, sizeText(leaf, d), {}}, alias);
        }
    }
    if (symbols_.size() > kMostSizes)
        throw Error("--dynamic all: the inputs have " + std::to_string(symbols_.size()) +
                    " sizes that may vary, at most " + std::to_string(kMostSizes) +
                    " can be explored; name those that vary with --dynamic INPUT.DIMENSION");
}

SymbolValues ModelRun::symbolValues(const SymbolValues& named) const {
    SymbolValues values;
    for (const Symbol& symbol : symbols_) values[symbol.name] = symbol.hint;
    for (const auto& [name, value] : named) {
        const auto known = std::find(aliases_.begin(), aliases_.end(), name);
        if (known == aliases_.end())
            throw UsageError("'" + name + "' is not a dynamic size" +
                             (aliases_.empty() ? "; give --dynamic" : "; dynamic sizes are " + quotedNames(aliases_)));
        values[symbols_[static_cast<std::size_t>(known - aliases_.begin())].name] = value;
    }
    return values;
}

DynamicShapes ModelRun::dynamicShapes() const {
    if (symbols_.empty()) return {};
    const auto leavesAt = [this](const SymbolValues& sizes) {
        return leavesOf(inputs(sizes, c10::Device(c10::kMeta), options_.seed));
    };
    DynamicShapes dynamic{symbols_, findBindings(symbols_, function_->stateCount(), leavesAt), {}};
    for (Symbol& symbol : dynamic.symbols)
        for (const SymbolBinding& binding : dynamic.bindings)
            if (binding.symbol == symbol.name && !binding.isValue()) {
                const std::string size = sizeText(binding.input - function_->stateCount(), binding.dimension);
                if (symbol.origin != size) symbol.origin += ", " + size;
                break;
            }
    dynamic.functionAt = [this](const SymbolValues& sizes) { return at(sizes); };
    return dynamic;
}

/// Tensors without memory suffice: only the structure matters.
FlatFunction ModelRun::at(const SymbolValues& sizes) const {
    if (sizes.empty()) return *function_;
    const FlatFunction resized(model_.program, inputs(sizes, c10::Device(c10::kMeta), options_.seed).values);
    return device().is_cpu() ? resized : resized.assumedOn(device());
}

}  // namespace aotscope
