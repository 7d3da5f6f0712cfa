#include "runtime/size_guards.h"

#include "aten/convert.h"
#include "ir/printer.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

namespace aotscope {

namespace {

/// Strides of dimensions with at most one element are irrelevant.
bool sameStrides(const TensorType& expected, const at::Tensor& actual) {
    if (actual.numel() == 0) return true;
    for (int64_t i = 0; i < actual.dim(); ++i)
        if (actual.size(i) > 1 && actual.stride(i) != expected.strides[static_cast<std::size_t>(i)]) return false;
    return true;
}

std::string bitsText(bool conjugated, bool negated) {
    return std::string(conjugated ? ", lazily conjugated" : "") + (negated ? ", lazily negated" : "");
}

std::string valueText(const c10::IValue& value) {
    if (!value.isTensor() || !value.toTensor().defined()) return c10::str(value);
    const at::Tensor& tensor = value.toTensor();
    return printTensorType(typeOf(tensor)) + bitsText(tensor.is_conj(), tensor.is_neg()) +
           (tensor.requires_grad() ? " that requires a gradient" : "");
}

/// An input that does not require grad can replace one that does: its gradient is not requested.
bool fits(const TensorType& expected, const c10::IValue& value) {
    if (!value.isTensor() || !value.toTensor().defined()) return false;
    const at::Tensor& actual = value.toTensor();
    return actual.scalar_type() == toScalarType(expected.dtype) && actual.sizes() == c10::IntArrayRef(expected.sizes) &&
           toDevice(actual.device()) == expected.device && sameStrides(expected, actual) &&
           (expected.requiresGrad || !actual.requires_grad() || !at::GradMode::is_enabled());
}

}  // namespace

SizeGuards::SizeGuards(const FunctionMetadata& metadata, const std::vector<c10::IValue>& example,
                       std::vector<Symbol> symbols, std::vector<SymbolBinding> bindings,
                       std::vector<SizeCondition> conditions)
    : symbols_(std::move(symbols)), bindings_(std::move(bindings)), conditions_(std::move(conditions)) {
    while (first_ < metadata.inputs.size() && metadata.inputs[first_].role != Role::userInput) ++first_;
    for (std::size_t i = first_; i < metadata.inputs.size(); ++i) {
        const InputInfo& input = metadata.inputs[i];
        inputs_.push_back({input.name, input.tensor, input.tensor ? c10::IValue() : example[i], false, false});
        if (!input.tensor) continue;
        inputs_.back().conjugated = example[i].toTensor().is_conj();
        inputs_.back().negated = example[i].toTensor().is_neg();
    }
}

/// The required value of an input that is not a tensor: that of the example, or of its symbol.
c10::IValue SizeGuards::expectedValue(std::size_t index, const SymbolValues& values) const {
    const auto binding = std::ranges::find_if(
        bindings_, [&](const SymbolBinding& b) { return b.isValue() && b.input == first_ + index; });
    return binding == bindings_.end() ? inputs_[index].value : c10::IValue(values.at(binding->symbol));
}

SymbolValues SizeGuards::bind(const std::vector<c10::IValue>& leaves) const {
    SymbolValues values;
    for (const SymbolBinding& binding : bindings_)
        values.emplace(binding.symbol, binding.isValue() ? leaves[binding.input].toInt()
                                                         : leaves[binding.input].toTensor().size(binding.dimension));
    return values;
}

std::optional<std::string> SizeGuards::failedSymbol(const SymbolValues& values) const {
    for (const Symbol& symbol : symbols_) {
        const std::int64_t value = values.at(symbol.name);
        const std::string is = symbol.name + " (" + symbol.origin + ") is " + std::to_string(value);
        if (value < symbol.min) return is + ", expected at least " + std::to_string(symbol.min);
        if (value > symbol.max) return is + ", expected at most " + std::to_string(symbol.max);
    }
    for (const SizeCondition& c : conditions_)
        if (values.at(c.symbol) % c.modulus != c.remainder)
            return c.symbol + " is " + std::to_string(values.at(c.symbol)) + ", expected " +
                   std::to_string(c.remainder) + " more than a multiple of " + std::to_string(c.modulus);
    return std::nullopt;
}

std::optional<std::string> SizeGuards::failed(const std::vector<c10::IValue>& leaves) const {
    for (const SymbolBinding& binding : bindings_) {
        const c10::IValue& leaf = leaves[binding.input];
        if (binding.isValue()) {
            if (!leaf.isInt()) return "an input is " + valueText(leaf) + ", expected an integer";
            continue;
        }
        if (!leaf.isTensor() || !leaf.toTensor().defined() || leaf.toTensor().dim() <= binding.dimension)
            return "an input has a different rank than in the example";
    }
    const SymbolValues values = bind(leaves);
    if (auto reason = failedSymbol(values)) return reason;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const Expected& expected = inputs_[i];
        const c10::IValue& leaf = leaves[first_ + i];
        if (!expected.tensor) {
            if (const c10::IValue value = expectedValue(i, values); !(leaf == value))
                return "'" + expected.name + "' is " + valueText(leaf) + ", expected " + valueText(value);
        } else if (!(expected.tensor->symbolic ? fits(expected.tensor->at(values), leaf)
                                               : fits(*expected.tensor, leaf)) ||
                   leaf.toTensor().is_conj() != expected.conjugated || leaf.toTensor().is_neg() != expected.negated) {
            return "'" + expected.name + "' is " + valueText(leaf) + ", expected " + printTensorType(*expected.tensor) +
                   bitsText(expected.conjugated, expected.negated) +
                   (expected.tensor->requiresGrad ? "" : " that requires no gradient");
        }
    }
    return std::nullopt;
}

}  // namespace aotscope
