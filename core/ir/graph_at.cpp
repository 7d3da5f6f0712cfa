#include "ir/graph_at.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

template <typename Visit>
void visitTensors(ValueType& type, const Visit& visit) {
    if (TensorType* tensor = type.tensor()) visit(*tensor);
    if (auto* tuple = std::get_if<TupleType>(&type.data))
        for (ValueType& element : *tuple) visitTensors(element, visit);
}

std::int64_t endBytes(const TensorType& type) {
    return type.numel() == 0 ? 0 : type.end() * static_cast<std::int64_t>(itemSize(type.dtype));
}

class Evaluation {
public:
    explicit Evaluation(const SymbolValues& values) : values_(values) {}

    std::shared_ptr<const Graph> of(const Graph& graph) {
        std::unique_ptr<Graph> copy = graph.clone();
        std::unordered_map<std::int64_t, Storage> storages;
        for (Node* node : copy->nodes()) visitTensors(node->type, [&](TensorType& type) { evaluate(type, storages); });
        for (Node* node : copy->nodes()) {
            visitTensors(node->type, [&](TensorType& type) { setStorage(type, storages); });
            if (auto* number = std::get_if<ScalarType>(&node->type.data); number && number->expression)
                number->hint = static_cast<double>(number->expression->evaluate(values_));
            takeSubgraphs(*copy, node);
        }
        std::vector<Symbol> symbols = copy->symbols();
        for (Symbol& symbol : symbols)
            if (const auto value = values_.find(symbol.name); value != values_.end()) symbol.hint = value->second;
        copy->setSymbols(std::move(symbols));
        return copy;
    }

private:
    /// How far its tensors reach, in bytes from its start.
    struct Storage {
        std::int64_t before = 0, now = 0;
    };

    void evaluate(TensorType& type, std::unordered_map<std::int64_t, Storage>& storages) const {
        const std::int64_t before = endBytes(type);
        if (const auto symbolic = type.symbolic) {
            type = type.at(values_);
            type.symbolic = symbolic;
        }
        if (type.storage < 0) return;
        Storage& storage = storages[type.storage];
        storage.before = std::max(storage.before, before);
        storage.now = std::max(storage.now, endBytes(type));
    }

    static void setStorage(TensorType& type, const std::unordered_map<std::int64_t, Storage>& storages) {
        if (type.storage < 0 || type.storageBytes == 0) return;
        const Storage& storage = storages.at(type.storage);
        if (storage.before == storage.now || storage.before == 0) return;
        const double part = static_cast<double>(type.storageBytes) / static_cast<double>(storage.before);
        type.storageBytes = std::max(storage.now, static_cast<std::int64_t>(part * static_cast<double>(storage.now)));
    }

    void takeSubgraphs(Graph& graph, Node* node) {
        const auto hasSubgraph = [](const Argument& argument) { return holdsSubgraph(argument); };
        const auto& kwargs = node->kwargs();
        if (std::ranges::none_of(node->args(), hasSubgraph) &&
            std::ranges::none_of(kwargs, hasSubgraph, &KeywordArguments::value_type::second))
            return;
        std::vector<Argument> args = node->args();
        KeywordArguments named = kwargs;
        for (Argument& argument : args) replaceSubgraphs(argument);
        for (auto& [key, argument] : named) replaceSubgraphs(argument);
        graph.setArguments(node, std::move(args), std::move(named));
    }

    static bool holdsSubgraph(const Argument& argument) {
        if (argument.subgraph()) return true;
        const auto* list = argument.list();
        return list && std::ranges::any_of(*list, holdsSubgraph);
    }

    void replaceSubgraphs(Argument& argument) {
        if (auto* list = std::get_if<Argument::List>(&argument.value))
            for (Argument& element : *list) replaceSubgraphs(element);
        auto* subgraph = std::get_if<Argument::Subgraph>(&argument.value);
        if (!subgraph || !*subgraph) return;
        auto& known = subgraphs_[subgraph->get()];  // calls may share one
        if (!known) known = of(**subgraph);
        *subgraph = known;
    }

    const SymbolValues& values_;
    std::unordered_map<const Graph*, std::shared_ptr<const Graph>> subgraphs_;
};

}  // namespace

std::shared_ptr<const Graph> graphAt(const Graph& graph, const SymbolValues& values) {
    return Evaluation(values).of(graph);
}

}  // namespace aotscope
