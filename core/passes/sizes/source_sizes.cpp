#include "passes/sizes/source_sizes.h"

#include "support/error.h"

#include <map>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace aotscope {

namespace {

/// The values in a run of the symbols of a file.
using Meanings = std::map<std::string, SymExpr, std::less<>>;

SymExpr sizeOf(const TensorType& type, std::size_t dimension) {
    return type.symbolic ? type.symbolic->sizes[dimension] : SymExpr(type.sizes[dimension]);
}

/// `e` in terms of the run's symbols; throws std::out_of_range for an unknown symbol.
SymExpr inRun(const SymExpr& e, const Meanings& meanings) {
    switch (e.kind()) {
        case SymExpr::Kind::number: return e;
        case SymExpr::Kind::symbol: return meanings.at(e.symbolName());
        case SymExpr::Kind::sum: return inRun(e.left(), meanings) + inRun(e.right(), meanings);
        case SymExpr::Kind::product: return inRun(e.left(), meanings) * inRun(e.right(), meanings);
        case SymExpr::Kind::floorDivision: return floorDivide(inRun(e.left(), meanings), inRun(e.right(), meanings));
    }
    return e;
}

class SourceSizes {
public:
    SourceSizes(const Graph& source, const std::vector<InputInfo>& inputs, const std::vector<Symbol>& symbols) {
        for (const InputInfo& input : inputs)
            if (input.tensor) inputs_.emplace(input.name, &*input.tensor);
        for (const Symbol& symbol : symbols) hints_[symbol.name] = symbol.hint;
        for (const Node* input : source.placeholders()) learn(*input);
    }

    /// The type of `node` in the run.
    ValueType typeOf(const Node& node) const {
        if (node.kind() == NodeKind::placeholder)
            if (const TensorType* given = inputOf(node)) return asGiven(node, *given);
        if (const TensorType* tensor = node.type.tensor(); tensor && tensor->symbolic) return {inRunOrPlain(*tensor)};
        if (const ScalarType* number = node.type.scalar(); number && number->expression) return inRunOrUnknown(*number);
        return node.type;
    }

private:
    const TensorType* inputOf(const Node& placeholder) const {
        const auto found = placeholder.role == Role::userInput ? inputs_.find(placeholder.label) : inputs_.end();
        return found == inputs_.end() ? nullptr : found->second;
    }

    void learn(const Node& placeholder) {
        const TensorType *file = placeholder.type.tensor(), *given = inputOf(placeholder);
        if (!file || !file->symbolic || !given || given->sizes.size() != file->sizes.size()) return;
        for (std::size_t d = 0; d < file->sizes.size(); ++d)
            if (const SymExpr& e = file->symbolic->sizes[d]; e.kind() == SymExpr::Kind::symbol)
                meanings_.try_emplace(e.symbolName(), sizeOf(*given, d));
    }

    /// Storages are numbered in the traced graphs.
    static ValueType asGiven(const Node& placeholder, const TensorType& given) {
        const TensorType* file = placeholder.type.tensor();
        TensorType type = given;
        type.storage = file ? file->storage : -1;
        type.storageBytes = file ? file->storageBytes : 0;
        if (file) type.requiresGrad = file->requiresGrad;
        return {std::move(type)};
    }

    TensorType inRunOrPlain(TensorType type) const {
        const SymbolicLayout& file = *type.symbolic;
        try {
            const auto layout = std::make_shared<SymbolicLayout>();
            for (const SymExpr& e : file.sizes) layout->sizes.push_back(inRun(e, meanings_));
            for (const SymExpr& e : file.strides) layout->strides.push_back(inRun(e, meanings_));
            layout->storageOffset = inRun(file.storageOffset, meanings_);
            TensorType found = type;
            found.symbolic = layout;
            found = found.at(hints_);
            if (varies(*layout)) found.symbolic = layout;
            return found;
        } catch (const std::out_of_range&) {
        } catch (const Error&) {  // a division by zero, a number beyond 64 bits
        }
        type.symbolic = nullptr;
        return type;
    }

    ValueType inRunOrUnknown(const ScalarType& number) const {
        try {
            const SymExpr e = inRun(*number.expression, meanings_);
            ScalarType found{number.kind, static_cast<double>(e.evaluate(hints_)), e};
            if (e.isNumber()) found.expression = std::nullopt;
            return {found};
        } catch (const std::out_of_range&) {
        } catch (const Error&) {}
        return {};
    }

    static bool varies(const SymbolicLayout& layout) {
        bool numbers = layout.storageOffset.isNumber();
        for (const auto* list : {&layout.sizes, &layout.strides})
            for (const SymExpr& e : *list) numbers = numbers && e.isNumber();
        return !numbers;
    }

    std::unordered_map<std::string_view, const TensorType*> inputs_;
    SymbolValues hints_;
    Meanings meanings_;
};

bool hasSymbols(const ValueType& type) {
    const TensorType* tensor = type.tensor();
    const ScalarType* number = type.scalar();
    return (tensor && tensor->symbolic) || (number && number->expression);
}

}  // namespace

std::shared_ptr<const Graph> sourceAt(const std::shared_ptr<const Graph>& source, const std::vector<InputInfo>& inputs,
                                      const std::vector<Symbol>& symbols) {
    const SourceSizes sizes(*source, inputs, symbols);
    std::shared_ptr<Graph> changed;
    bool named = false;  // also by the file's symbols
    for (std::size_t i = 0; i < source->size(); ++i) {
        ValueType type = sizes.typeOf(*source->at(i));
        named = named || hasSymbols(type);
        if (type == source->at(i)->type) continue;
        if (!changed) changed = source->clone();
        changed->at(i)->type = std::move(type);
    }
    if (!changed && named) changed = source->clone();
    if (!changed) return source;
    changed->setSymbols(symbols);
    return changed;
}

}  // namespace aotscope
