#include "load/exported/source.h"

#include "ir/graph.h"
#include "ir/output_names.h"
#include "load/exported/export_provenance.h"
#include "program/higher_order.h"

#include <map>
#include <unordered_map>
#include <utility>

namespace aotscope {

namespace {

using ExportedArgument = exported::Argument;
using Scope = std::unordered_map<std::string, Argument>;

std::vector<std::int64_t> plain(const std::vector<exported::Integer>& integers) {
    std::vector<std::int64_t> values;
    for (const auto& integer : integers) values.push_back(integer.value);
    return values;
}

/// The number, or the expression that it stands for.
SymExpr expressionOf(const exported::Integer& integer) { return integer.expression.value_or(integer.value); }

/// Null if all sizes are fixed, or one follows from the symbols in a way that cannot be expressed.
std::shared_ptr<const SymbolicLayout> recordedLayout(const exported::TensorMeta& meta) {
    SymbolicLayout layout;
    bool varies = false, expressed = true;
    const auto take = [&](const exported::Integer& integer) {
        varies = varies || integer.symbolic;
        expressed = expressed && (!integer.symbolic || integer.expression);
        return expressionOf(integer);
    };
    for (const auto& size : meta.sizes) layout.sizes.push_back(take(size));
    for (const auto& stride : meta.strides) layout.strides.push_back(take(stride));
    layout.storageOffset = take(meta.storageOffset);
    return varies && expressed ? std::make_shared<SymbolicLayout>(std::move(layout)) : nullptr;
}

ValueType recordedType(const exported::Graph& graph, const std::string& name) {
    if (const auto number = graph.integers.find(name); number != graph.integers.end())
        return {ScalarType{ScalarType::Kind::integer, static_cast<double>(number->second.value),
                           number->second.expression}};
    const auto it = graph.tensors.find(name);
    if (it == graph.tensors.end()) return {};
    const exported::TensorMeta& meta = it->second;
    TensorType type;
    type.dtype = meta.dtype;
    type.sizes = plain(meta.sizes);
    type.strides = plain(meta.strides);
    type.storageOffset = meta.storageOffset.value;
    type.device = meta.device;
    type.requiresGrad = meta.requiresGrad;
    type.symbolic = recordedLayout(meta);
    return {type};
}

/// "aten.add.Tensor" of "torch.ops.aten.add.Tensor", "operator.mul" of "_operator.mul".
std::string operationName(std::string target) {
    constexpr std::string_view arithmetic = "_";
    if (target.starts_with(exported::kOperators)) target.erase(0, exported::kOperators.size());
    if (target.starts_with(arithmetic)) target.erase(0, arithmetic.size());
    return target;
}

Argument convert(const ExportedArgument& argument, const Scope& scope);

/// An argument with the nodes that `scope` has for its names.
struct ArgumentMaker {
    const Scope& scope;

    Argument operator()(const ExportedArgument::Reference& v) const {
        const auto it = scope.find(v.name);
        return it == scope.end() ? Argument(v.name) : it->second;
    }
    Argument operator()(const ExportedArgument::List& v) const {
        Argument::List list;
        for (const auto& element : v) list.push_back(convert(element, scope));
        return list;
    }
    Argument operator()(const std::shared_ptr<const exported::Graph>&) const { return {}; }  // see addCall
    Argument operator()(const ExportedArgument::Operator& v) const { return v.target; }
    Argument operator()(const ExportedArgument::Foreign& v) const { return v.what; }
    Argument operator()(std::monostate) const { return {}; }
    template <typename Plain>
    Argument operator()(const Plain& v) const {
        return v;
    }
};

Argument convert(const ExportedArgument& argument, const Scope& scope) {
    return std::visit(ArgumentMaker{scope}, argument.value);
}

ValueType typeOfConstant(const Argument& constant) {
    if (constant.isNone()) return {OtherType::none};
    if (const auto* v = constant.integer()) return {ScalarType{ScalarType::Kind::integer, static_cast<double>(*v)}};
    if (const auto* v = std::get_if<double>(&constant.value)) return {ScalarType{ScalarType::Kind::real, *v}};
    if (const auto* v = std::get_if<bool>(&constant.value))
        return {ScalarType{ScalarType::Kind::boolean, *v ? 1.0 : 0.0}};
    return std::holds_alternative<std::string>(constant.value) ? ValueType{OtherType::text} : ValueType{};
}

class ExportedConverter {
public:
    ExportedConverter(const exported::Document& document, const std::vector<StateTensor>& state)
        : document_(document), state_(state) {}

    std::shared_ptr<const Graph> run(const std::vector<std::optional<std::size_t>>& stateOfInput,
                                     const std::vector<std::string>& leafNames,
                                     const std::vector<std::string>& outputNames) {
        Scope scope;
        std::unordered_map<std::size_t, aotscope::Node*> placeholders;
        std::size_t leaf = 0;
        for (std::size_t i = 0; i < document_.inputs.size(); ++i) {
            const auto& spec = document_.inputs[i];
            const auto* reference = spec.value.reference();
            const std::string name = reference ? reference->name : spec.target;
            if (!stateOfInput[i] && spec.kind == exported::InputSpec::Kind::constant) {
                scope[name] = graph_->addConstant(spec.target, recordedType(document_.graph, name), name);
                continue;
            }
            if (!stateOfInput[i]) {
                const ValueType type =
                    reference ? recordedType(document_.graph, name) : typeOfConstant(convert(spec.value, scope));
                scope[name] = graph_->addPlaceholder(name, type, Role::userInput, leafNames.at(leaf++));
                continue;
            }
            const StateTensor& tensor = state_[*stateOfInput[i]];
            auto& placeholder = placeholders[*stateOfInput[i]];
            if (!placeholder)
                placeholder =
                    graph_->addPlaceholder(name, recordedType(document_.graph, name), tensor.role, tensor.name);
            scope[name] = placeholder;
        }
        addNodes(document_.graph, scope);
        std::vector<Argument> outputs;
        std::vector<OutputSlot> slots;
        std::size_t returned = 0;
        for (const auto& output : document_.outputs) {
            outputs.push_back(convert(output.value, scope));
            if (output.kind != exported::OutputSpec::Kind::user) {
                slots.push_back({Role::mutatedInput, output.target});
                continue;
            }
            slots.push_back({Role::userOutput, outputLabel(outputNames.at(returned), returned)});
            ++returned;
        }
        graph_->setOutput(std::move(outputs), std::move(slots));
        return std::move(graph_);
    }

private:
    void addNodes(const exported::Graph& graph, Scope& scope) {
        for (const exported::Node& node : graph.nodes)
            if (operatorOf(node) || !addRegion(node, scope)) addCall(node, graph, scope);
    }

    /// The operator that runs the graphs of `node` at run time; null for a region, which stands for its operations.
    static const HigherOrderOperator* operatorOf(const exported::Node& node) {
        const std::string_view target = node.target;
        if (!target.starts_with(exported::kHigherOrder)) return nullptr;
        return findHigherOrder(target.substr(exported::kHigherOrder.size()));
    }

    /// What an operator such as cond runs.
    Argument::Subgraph subgraph(const std::string& prefix, const exported::Graph& graph) {
        const std::string name = prefix + "_" + std::to_string(subgraphs_[prefix]++);
        auto outside = std::exchange(graph_, std::make_unique<Graph>(name));
        Scope scope;
        for (const ExportedArgument& input : graph.inputs)
            if (const auto* reference = input.reference())
                scope[reference->name] = graph_->addPlaceholder(reference->name, recordedType(graph, reference->name));
        addNodes(graph, scope);
        std::vector<Argument> outputs;
        for (const ExportedArgument& output : graph.outputs) outputs.push_back(convert(output, scope));
        graph_->setOutput(std::move(outputs), std::vector<OutputSlot>(graph.outputs.size()));
        return std::exchange(graph_, std::move(outside));
    }

    /// The operations of a region's graph, in place of the node that runs it.
    bool addRegion(const exported::Node& node, Scope& scope) {
        for (std::size_t at = 0; at < node.inputs.size(); ++at) {
            const auto* region = std::get_if<std::shared_ptr<const exported::Graph>>(&node.inputs[at].value.value);
            if (!region) continue;
            const exported::Graph& graph = **region;
            Scope inner;
            for (std::size_t i = 0; i < graph.inputs.size(); ++i)
                if (const auto* reference = graph.inputs[i].reference())
                    inner[reference->name] =
                        convert(node.inputs[node.inputs.size() - graph.inputs.size() + i].value, scope);
            addNodes(graph, inner);
            std::vector<Argument> results;
            for (const auto& output : graph.outputs) results.push_back(convert(output, inner));
            bindAll(node.outputs, results, scope);
            return true;
        }
        return false;
    }

    static void bindAll(const std::vector<ExportedArgument>& outputs, const std::vector<Argument>& results,
                        Scope& scope) {
        std::size_t next = 0;
        const auto bind = [&](const ExportedArgument& output) {
            if (const auto* reference = output.reference(); reference && next < results.size())
                scope[reference->name] = results[next];
            ++next;
        };
        for (const auto& output : outputs) {
            if (const auto* list = output.list())
                for (const auto& element : *list) bind(element);
            else bind(output);
        }
    }

    void addCall(const exported::Node& node, const exported::Graph& graph, Scope& scope) {
        std::vector<Argument> args;
        KeywordArguments kwargs;
        const HigherOrderOperator* known = operatorOf(node);
        std::size_t graphs = 0;
        for (const auto& input : node.inputs) {
            const auto* owned = std::get_if<std::shared_ptr<const exported::Graph>>(&input.value.value);
            if (owned) args.push_back(subgraph(known->prefixes[graphs++], **owned));
            else if (input.keyword) kwargs.emplace_back(input.name, convert(input.value, scope));
            else args.push_back(convert(input.value, scope));
        }
        const auto* single = !known && node.outputs.size() == 1 ? node.outputs[0].reference() : nullptr;
        aotscope::Node* call = graph_->addCall(operationName(node.target), std::move(args), std::move(kwargs),
                                               single ? recordedType(graph, single->name) : ValueType{},
                                               single ? single->name : node.name);
        call->source = provenanceOf(node);
        if (single) scope[single->name] = call;
        else bindItems(node, call, graph, scope);
    }

    void bindItems(const exported::Node& node, aotscope::Node* call, const exported::Graph& graph, Scope& scope) {
        std::int64_t index = 0;
        const auto bind = [&](const ExportedArgument& output) {
            if (const auto* reference = output.reference();
                reference && reference->name.find("_unused_") == std::string::npos) {
                aotscope::Node* item = graph_->addCall("operator.getitem", {call, index}, {},
                                                       recordedType(graph, reference->name), reference->name);
                item->source = call->source;
                scope[reference->name] = item;
            }
            ++index;
        };
        for (const auto& output : node.outputs) {
            if (const auto* list = output.list())
                for (const auto& element : *list) bind(element);
            else bind(output);
        }
    }

    const exported::Document& document_;
    const std::vector<StateTensor>& state_;
    std::map<std::string, int> subgraphs_;  ///< by what their names start with, how many there are
    std::unique_ptr<Graph> graph_ = std::make_unique<Graph>("source");
};

}  // namespace

std::shared_ptr<const Graph> sourceGraph(const exported::Document& document, const std::vector<StateTensor>& state,
                                         const std::vector<std::optional<std::size_t>>& stateOfInput,
                                         const std::vector<std::string>& leafNames,
                                         const std::vector<std::string>& outputNames) {
    return ExportedConverter(document, state).run(stateOfInput, leafNames, outputNames);
}

}  // namespace aotscope
