#include "cost/fit/batch_size.h"

#include <algorithm>

namespace aotscope {

namespace {

std::vector<const InputInfo*> tensorInputs(const CompileRecord& record) {
    std::vector<const InputInfo*> inputs;
    if (!record.metadata) return inputs;
    for (const InputInfo& input : record.metadata->inputs)
        if (input.role == Role::userInput && input.tensor && !input.tensor->sizes.empty()) inputs.push_back(&input);
    return inputs;
}

std::string dimensionName(const InputInfo& input, std::size_t dimension) {
    return input.name + "." + std::to_string(dimension);
}

const Symbol* symbolOf(const CompileRecord& record, std::string_view name) {
    const auto symbol = std::ranges::find_if(record.symbols, [&](const Symbol& each) {
        return each.name == name || std::ranges::count(each.equals, name) > 0;
    });
    return symbol == record.symbols.end() ? nullptr : &*symbol;
}

/// A dimension of an input.
struct Dimension {
    const TensorType* type = nullptr;
    std::size_t index = 0;
};

/// For INPUT.DIMENSION.
std::optional<Dimension> dimensionNamed(const CompileRecord& record, std::string_view name) {
    for (const InputInfo* input : tensorInputs(record))
        for (std::size_t i = 0; i < input->tensor->sizes.size(); ++i)
            if (dimensionName(*input, i) == name) return Dimension{&*input->tensor, i};
    return std::nullopt;
}

const Symbol* symbolOfDimension(const CompileRecord& record, std::string_view name) {
    const auto dimension = dimensionNamed(record, name);
    if (!dimension || !dimension->type->symbolic) return nullptr;
    const SymExpr& size = dimension->type->symbolic->sizes[dimension->index];
    return size.kind() == SymExpr::Kind::symbol ? symbolOf(record, size.symbolName()) : nullptr;
}

/// Names come first in where a symbol is from.
const Symbol* symbolFrom(const CompileRecord& record, std::string_view name) {
    const auto symbol = std::ranges::find_if(record.symbols, [&](const Symbol& each) {
        return std::string_view(each.origin).substr(0, each.origin.find(", ")) == name;
    });
    return symbol == record.symbols.end() ? symbolOf(record, name) : &*symbol;
}

}  // namespace

std::vector<std::string> sharedDimension(const CompileRecord& record) {
    const std::vector<const InputInfo*> inputs = tensorInputs(record);
    if (inputs.empty()) return {};
    const std::vector<std::int64_t>& first = inputs.front()->tensor->sizes;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const bool shared = std::ranges::all_of(inputs, [&](const InputInfo* input) {
            return input->tensor->sizes.size() > i && input->tensor->sizes[i] == first[i];
        });
        if (!shared) continue;
        std::vector<std::string> names;
        for (const InputInfo* input : inputs) names.push_back(dimensionName(*input, i));
        return names;
    }
    return {};
}

std::vector<Symbol> symbolsNamed(const CompileRecord& record, const std::vector<std::string>& names) {
    std::vector<Symbol> symbols;
    for (const std::string& name : names) {
        const Symbol* symbol = symbolOfDimension(record, name);
        if (!symbol) symbol = symbolFrom(record, name);
        if (symbol && std::ranges::count(symbols, symbol->name, &Symbol::name) == 0) symbols.push_back(*symbol);
    }
    return symbols;
}

std::optional<std::int64_t> sizeNamed(const CompileRecord& record, std::string_view name) {
    const auto dimension = dimensionNamed(record, name);
    return dimension ? std::optional(dimension->type->sizes[dimension->index]) : std::nullopt;
}

}  // namespace aotscope
