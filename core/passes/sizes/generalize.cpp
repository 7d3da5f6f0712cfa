#include "passes/sizes/generalize.h"

#include "support/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_set>

namespace aotscope {

namespace {

using Values = ExpressionFinder::Values;

/// Samples shown in an error.
constexpr std::size_t kMostSeen = 4;

/// An outer stride is the product of an inner one and a size.
std::vector<std::size_t> innermostFirst(const std::vector<std::int64_t>& strides) {
    std::vector<std::size_t> order(strides.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
    return order;
}

}  // namespace

/// Adds the nodes that compute expressions to a graph, each once, after the placeholders.
class SizeNodes {
public:
    /// `bindings`: of the inputs of a whole graph; null for a subgraph, whose inputs have the types of its operands.
    SizeNodes(Graph& graph, const std::vector<SymbolBinding>* bindings, const SymbolValues& hints)
        : graph_(graph), bindings_(bindings), hints_(hints), placeholders_(graph.placeholders()) {}

    Argument of(const SymExpr& e) {
        if (e.isNumber()) return e.number();
        const auto it = nodes_.find(e.text());
        if (it != nodes_.end()) return it->second;
        return nodes_[e.text()] = e.kind() == SymExpr::Kind::symbol ? sizeOf(e) : compute(e);
    }

    Argument of(const ExpressionFinder::Ratio& ratio) {
        std::vector<Argument> args = {ratio.constant, of(ratio.expression)};
        const double e = static_cast<double>(ratio.expression.evaluate(hints_));
        return add(ratio.divides ? "operator.truediv" : "operator.mul", std::move(args),
                   {ScalarType::Kind::real, ratio.divides ? ratio.constant / e : ratio.constant * e, {}});
    }

    /// A zero-dimensional tensor with the number.
    Node* tensorOf(const SymExpr& e, const ValueType& type) {
        Argument number = of(e);
        added_.push_back(
            graph_.addCall("aten.scalar_tensor.default", {std::move(number)}, {{"dtype", type.tensor()->dtype}}, type));
        return added_.back();
    }

    /// Moves the new nodes before the first call.
    void place() {
        std::vector<Node*> order = placeholders_;
        order.insert(order.end(), added_.begin(), added_.end());
        const std::unordered_set<const Node*> placed(order.begin(), order.end());
        for (Node* node : graph_.nodes())
            if (!placed.contains(node)) order.push_back(node);
        graph_.reorder(order);
    }

private:
    Node* sizeOf(const SymExpr& symbol) {
        if (!bindings_) return sizeInSubgraph(symbol);
        for (const auto& binding : *bindings_)
            if (binding.symbol == symbol.symbolName() && binding.isValue()) return placeholders_[binding.input];
        for (const auto& binding : *bindings_)
            if (binding.symbol == symbol.symbolName())
                return add("aten.sym_size.int", {placeholders_[binding.input], binding.dimension}, integer(symbol));
        throw Error("no input has a dimension '" + symbol.text() + "'");
    }

    Node* sizeInSubgraph(const SymExpr& symbol) {
        for (Node* placeholder : placeholders_) {
            const auto* type = placeholder->type.tensor();
            if (!type || !type->symbolic) continue;
            const auto& sizes = type->symbolic->sizes;
            for (std::size_t d = 0; d < sizes.size(); ++d)
                if (sizes[d].text() == symbol.text())
                    return add("aten.sym_size.int", {placeholder, static_cast<std::int64_t>(d)}, integer(symbol));
        }
        throw Error("no input of the graph '" + graph_.name() + "' has a dimension '" + symbol.text() + "'");
    }

    Node* compute(const SymExpr& e) {
        const char* op = e.kind() == SymExpr::Kind::sum       ? "operator.add"
                         : e.kind() == SymExpr::Kind::product ? "operator.mul"
                                                              : "operator.floordiv";
        Argument left = of(e.left()), right = of(e.right());
        return add(op, {std::move(left), std::move(right)}, integer(e));
    }

    ScalarType integer(const SymExpr& e) const {
        return {ScalarType::Kind::integer, static_cast<double>(e.evaluate(hints_)), e};
    }

    Node* add(const char* op, std::vector<Argument> args, ScalarType type) {
        added_.push_back(graph_.addCall(op, std::move(args), {}, {std::move(type)}));
        return added_.back();
    }

    Graph& graph_;
    const std::vector<SymbolBinding>* bindings_;
    const SymbolValues& hints_;
    std::vector<Node*> placeholders_, added_;
    std::map<std::string, Node*> nodes_;
};

Generalizer::Generalizer(std::vector<Symbol> symbols, std::vector<SymbolBinding> bindings,
                         std::vector<SymbolValues> samples, std::vector<SymbolValues> distinguishing)
    : symbols_(std::move(symbols)),
      bindings_(std::move(bindings)),
      samples_(std::move(samples)),
      distinguishing_(std::move(distinguishing)),
      finder_(symbols_, samples_) {
    if (!distinguishing_.empty()) matcher_.emplace(symbols_, samples_, distinguishing_);
}

std::optional<SymExpr> Generalizer::find(const Values& values) {
    return matcher_ ? matcher_->find(values) : finder_.find(values);
}

std::optional<ExpressionFinder::Ratio> Generalizer::findRatio(std::span<const double> values) const {
    return matcher_ ? matcher_->findRatio(values) : finder_.findRatio(values);
}

/// The symbol that alone, or with the fewest others, differs where something varies.
template <typename Varies>
std::string Generalizer::causeOf(const Varies& varies) const {
    std::string cause;
    std::size_t fewest = symbols_.size() + 1;
    for (std::size_t i = 1; i < samples_.size(); ++i) {
        if (!varies(i)) continue;
        std::set<std::string> moved;
        for (const SymbolBinding& binding : bindings_)
            if (samples_[i].at(binding.symbol) != samples_[0].at(binding.symbol)) moved.insert(binding.symbol);
        if (moved.empty() || moved.size() >= fewest) continue;
        cause = *moved.begin();
        fewest = moved.size();
    }
    return cause;
}

SymExpr Generalizer::expression(const Values& values, const std::string& where) {
    if (auto e = find(values)) return *e;
    if (matcher_) {
        std::vector<SymbolValues> apart;
        for (const std::size_t sample : matcher_->samplesApart(values)) apart.push_back(distinguishing_[sample]);
        const auto known = values.size() < samples_.size() ? Ambiguous::Known::whole : Ambiguous::Known::asWritten;
        throw Ambiguous("the samples do not tell which expression explains a number in " + where, known,
                        std::move(apart));
    }
    std::string seen;
    for (std::size_t i = 0; i < std::min(values.size(), kMostSeen); ++i) {
        seen += (i ? ", " : "") + std::to_string(values[i]) + " at ";
        for (const auto& [name, value] : samples_[i]) seen += name + "=" + std::to_string(value) + " ";
        seen.pop_back();
    }
    throw Inexpressible(causeOf([&](std::size_t i) { return values[i] != values[0]; }),
                        "no expression of the sizes explains a number in " + where + " (" + seen + ")");
}

SymExpr Generalizer::opaque(const Values& values, const std::string& where) {
    Symbol symbol;
    symbol.name = "u" + std::to_string(symbols_.size());
    symbol.hint = values[0];
    symbol.min = 0;
    symbol.origin = "a size that " + where + " chooses";
    for (std::size_t i = 0; i < samples_.size(); ++i) samples_[i][symbol.name] = values[i];
    symbols_.push_back(symbol);
    return finder_.learn(values, SymExpr::symbol(symbol.name));
}

void Generalizer::applyTensor(TensorType& type, const std::vector<const TensorType*>& others, const std::string& where,
                              bool mayBeOpaque) {
    const auto sameLayout = [&](const TensorType* other) {
        return other->sizes == type.sizes && other->strides == type.strides &&
               other->storageOffset == type.storageOffset;
    };
    if ((!matcher_ || !matcher_->hidesSizes()) && std::ranges::all_of(others, sameLayout)) return;
    bool varies = false;
    const auto generalized = [&](std::int64_t own, auto&& read) {
        Values values{own};
        for (const TensorType* other : others) values.push_back(read(*other));
        const auto known = find(values);
        SymExpr e = known ? *known : mayBeOpaque && !matcher_ ? opaque(values, where) : expression(values, where);
        varies = varies || !e.isNumber();
        return e;
    };
    SymbolicLayout layout;
    for (std::size_t i = 0; i < type.sizes.size(); ++i)
        layout.sizes.push_back(generalized(type.sizes[i], [i](const TensorType& t) { return t.sizes[i]; }));
    layout.strides.resize(type.strides.size());
    for (const std::size_t i : innermostFirst(type.strides))
        layout.strides[i] = generalized(type.strides[i], [i](const TensorType& t) { return t.strides[i]; });
    layout.storageOffset = generalized(type.storageOffset, [](const TensorType& t) { return t.storageOffset; });
    if (varies) type.symbolic = std::make_shared<SymbolicLayout>(std::move(layout));
}

void Generalizer::applyType(ValueType& type, const std::vector<const ValueType*>& others, const std::string& where) {
    if (auto* tensor = type.tensor()) {
        std::vector<const TensorType*> tensors;
        for (const ValueType* other : others) tensors.push_back(other->tensor());
        applyTensor(*tensor, tensors, where, /*mayBeOpaque=*/true);
    } else if (auto* tuple = std::get_if<TupleType>(&type.data)) {
        for (std::size_t i = 0; i < tuple->size(); ++i) {
            std::vector<const ValueType*> elements;
            for (const ValueType* other : others) elements.push_back(&(*other->tuple())[i]);
            applyType((*tuple)[i], elements, where);
        }
    }
}

/// Rewrites the arguments of one graph.
class Generalizer::Rewriter {
public:
    enum class Scope : std::uint8_t { wholeGraph, subgraph };
    Rewriter(Generalizer& generalizer, Graph& graph, const std::vector<const Graph*>& others, const Numbers& numbers,
             Scope scope)
        : generalizer_(generalizer),
          graph_(graph),
          others_(others),
          numbers_(numbers),
          sizes_(graph, scope == Scope::wholeGraph ? &generalizer.bindings_ : nullptr, generalizer.samples_[0]) {}

    void run() {
        const auto nodes = graph_.nodes();
        for (std::size_t n = 0; n < nodes.size(); ++n) rewrite(nodes[n], n);
        for (Node* node : nodes)
            if (node->kind() == NodeKind::constant) replaceNumber(node);
        sizes_.place();
    }

private:
    using Seen = std::vector<const Argument*>;  ///< the argument in every graph

    void rewrite(Node* node, std::size_t index) {
        where_ = "%" + node->name() + " (" + (node->op().empty() ? "an input" : node->op()) + ")";
        std::vector<const ValueType*> types;
        for (const Graph* other : others_) types.push_back(&other->at(index)->type);
        generalizer_.applyType(node->type, types, where_);
        if (node->kind() == NodeKind::placeholder) expressInteger(node->type, types);
        std::vector<Argument> args;
        for (std::size_t i = 0; i < node->args().size(); ++i)
            args.push_back(argument(seen(node, index, [i](const Node& n) { return &n.args()[i]; })));
        KeywordArguments kwargs;
        for (std::size_t i = 0; i < node->kwargs().size(); ++i)
            kwargs.emplace_back(node->kwargs()[i].first,
                                argument(seen(node, index, [i](const Node& n) { return &n.kwargs()[i].second; })));
        graph_.setArguments(node, std::move(args), std::move(kwargs));
    }

    /// Marks an input that is a symbol.
    void expressInteger(ValueType& type, const std::vector<const ValueType*>& others) {
        auto* number = std::get_if<ScalarType>(&type.data);
        if (!number || number->kind != ScalarType::Kind::integer) return;
        Values values{static_cast<std::int64_t>(number->hint)};
        for (const ValueType* other : others) values.push_back(static_cast<std::int64_t>(other->scalar()->hint));
        if (const auto e = generalizer_.find(values); e && !e->isNumber()) number->expression = *e;
    }

    /// Replaces a constant that depends on sizes by its computation.
    void replaceNumber(Node* constant) {
        const auto it = numbers_.find(constant->op());
        if (it == numbers_.end()) return;
        const SymExpr e = generalizer_.expression(it->second, "the constant '" + constant->op() + "'");
        if (e.isNumber()) return;
        graph_.replaceAllUses(constant, sizes_.tensorOf(e, constant->type));
    }

    template <typename Pick>
    Seen seen(const Node* node, std::size_t index, Pick&& pick) const {
        Seen all{pick(*node)};
        for (const Graph* other : others_) all.push_back(pick(*other->at(index)));
        return all;
    }

    Argument argument(const Seen& all) {
        const Argument& own = *all[0];
        if (own.integer()) return integer(all);
        if (std::holds_alternative<double>(own.value)) return real(all);
        if (own.subgraph()) return subgraph(all);
        if (!own.list()) return own;
        Argument::List list;
        for (std::size_t i = 0; i < own.list()->size(); ++i) {
            Seen elements;
            for (const Argument* a : all) elements.push_back(&(*a->list())[i]);
            list.push_back(argument(elements));
        }
        return list;
    }

    /// Sizes in a subgraph are expressed by its own inputs.
    Argument subgraph(const Seen& all) {
        const Argument::Subgraph& own = *all[0]->subgraph();
        auto& rewritten = subgraphs_[own.get()];
        if (rewritten) return rewritten;
        std::vector<const Graph*> others;
        for (std::size_t i = 1; i < all.size(); ++i) others.push_back(all[i]->subgraph()->get());
        const std::shared_ptr<Graph> graph = own->clone();
        Rewriter(generalizer_, *graph, others, numbers_, Scope::subgraph).run();
        return rewritten = graph;
    }

    Argument integer(const Seen& all) {
        Values values;
        for (const Argument* a : all) values.push_back(*a->integer());
        return sizes_.of(generalizer_.expression(values, where_));
    }

    Argument real(const Seen& all) {
        std::vector<double> values;
        for (const Argument* a : all) values.push_back(std::get<double>(a->value));
        const bool constant = std::all_of(values.begin(), values.end(), [&](double v) {
            return v == values[0] || (std::isnan(v) && std::isnan(values[0]));
        });
        if (constant) return *all[0];
        if (const auto ratio = generalizer_.findRatio(values)) return sizes_.of(*ratio);
        if (generalizer_.matcher_)
            throw Ambiguous("the samples do not explain a real number in " + where_, Ambiguous::Known::asWritten, {});
        throw Inexpressible(
            generalizer_.causeOf([&](std::size_t i) { return values[i] != values[0]; }),
            "no expression of the sizes explains the real number " + std::to_string(values[0]) + " in " + where_);
    }

    Generalizer& generalizer_;
    Graph& graph_;
    const std::vector<const Graph*>& others_;
    const Numbers& numbers_;
    SizeNodes sizes_;
    std::map<const Graph*, Argument::Subgraph> subgraphs_;
    std::string where_;
};

void Generalizer::apply(Graph& graph, const std::vector<const Graph*>& others, const Numbers& numbers) {
    Rewriter(*this, graph, others, numbers, Rewriter::Scope::wholeGraph).run();
    graph.setSymbols(symbols_);
}

void Generalizer::apply(FunctionMetadata& metadata, const std::vector<const FunctionMetadata*>& others) {
    const auto each = [&](std::size_t count, auto&& tensorOf, const char* what) {
        for (std::size_t i = 0; i < count; ++i) {
            TensorType* type = tensorOf(metadata, i);
            if (!type) continue;
            std::vector<const TensorType*> seen;
            for (const FunctionMetadata* other : others)
                seen.push_back(tensorOf(const_cast<FunctionMetadata&>(*other), i));
            applyTensor(*type, seen, what + std::string(" ") + std::to_string(i), /*mayBeOpaque=*/false);
        }
    };
    const auto pointer = [](std::optional<TensorType>& type) { return type ? &*type : nullptr; };
    each(
        metadata.inputs.size(), [&](FunctionMetadata& m, std::size_t i) { return pointer(m.inputs[i].tensor); },
        "input");
    each(
        metadata.inputs.size(), [&](FunctionMetadata& m, std::size_t i) { return pointer(m.inputs[i].after); },
        "mutated input");
    each(
        metadata.outputs.size(), [&](FunctionMetadata& m, std::size_t i) { return pointer(m.outputs[i].tensor); },
        "output");
    each(
        metadata.outputs.size(), [&](FunctionMetadata& m, std::size_t i) { return pointer(m.outputs[i].asWritten); },
        "output");
    each(
        metadata.tangents.size(), [](FunctionMetadata& m, std::size_t i) { return &m.tangents[i]; }, "tangent");
}

}  // namespace aotscope
