#include "load/exported/graph.h"

#include "aten/find_operator.h"
#include "execute/batching.h"
#include "execute/regions.h"
#include "ir/output_names.h"
#include "load/exported/export_provenance.h"
#include "load/exported/mutations.h"
#include "load/exported/opaque_schema.h"
#include "load/exported/recorded_type.h"
#include "load/exported/region_arguments.h"
#include "load/exported/scope.h"
#include "load/exported/uses.h"
#include "ops/number_functions.h"
#include "program/higher_order.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace aotscope {

namespace {

using exported::kHigherOrder;
using exported::kOperators;
using ExportedArgument = exported::Argument;

/// "aten.add.Tensor" for "torch.ops.aten.add.Tensor", "operator.mul" for "_operator.mul".
std::string operationName(std::string target) {
    if (target.starts_with(kOperators)) return target.substr(kOperators.size());
    return target.starts_with("_operator.") ? target.substr(1) : target;
}

ValueType typeOfConstant(const Argument& constant) {
    if (constant.isNone()) return {OtherType::none};
    if (const auto* v = constant.integer()) return {ScalarType{ScalarType::Kind::integer, static_cast<double>(*v)}};
    if (const auto* v = std::get_if<double>(&constant.value)) return {ScalarType{ScalarType::Kind::real, *v}};
    if (const auto* v = std::get_if<bool>(&constant.value))
        return {ScalarType{ScalarType::Kind::boolean, *v ? 1.0 : 0.0}};
    return std::holds_alternative<std::string>(constant.value) ? ValueType{OtherType::text} : ValueType{};
}

/// The definitions in `outputs`, with lists flattened; null for unnamed ones.
std::vector<const ExportedArgument::Reference*> flattened(const std::vector<ExportedArgument>& outputs) {
    std::vector<const ExportedArgument::Reference*> all;
    for (const ExportedArgument& output : outputs) {
        if (!output.list()) all.push_back(output.reference());
        else std::ranges::transform(*output.list(), std::back_inserter(all), &ExportedArgument::reference);
    }
    return all;
}

const exported::Graph* graphIn(const ExportedArgument& argument) {
    const auto* graph = std::get_if<std::shared_ptr<const exported::Graph>>(&argument.value);
    return graph ? graph->get() : nullptr;
}

class ExportedConverter {
public:
    ExportedConverter(const exported::Document& document, const ExportedSignature& signature,
                      const ForeignOperators& foreign, c10::Device device)
        : document_(document),
          signature_(signature),
          foreign_(foreign),
          mutations_(exported::mutationsOf(document)),
          devices_(devicesOf(document.graph, device)) {}

    ExportedGraph run() {
        for (std::size_t i = 0; i < document_.inputs.size(); ++i) addInput(i);
        for (const auto& name : mutations_.keepsOldValue) result_.cloned.push_back(placeholderOf(name));
        addNodes(document_.graph);
        addOutputs();
        addWarnings();
        result_.graph = std::move(graph_);
        return std::move(result_);
    }

private:
    void addInput(std::size_t i) {
        const auto& spec = document_.inputs[i];
        const auto* reference = document_.graph.inputs[i].reference();
        const std::string name = reference ? reference->name : spec.target;
        const auto state = signature_.stateOfInput[i];
        const ValueType type =
            reference ? recordedType(document_.graph, name) : typeOfConstant(scope_.convert(spec.value));
        if (!state && spec.kind == exported::InputSpec::Kind::constant)
            return scope_.define(name, graph_->addConstant(spec.target, type, name));
        if (!state) {
            aotscope::Node* leaf =
                graph_->addPlaceholder(name, type, Role::userInput, signature_.leafNames.at(leaves_));
            if (reference) addSymbols(name);
            result_.inputs.push_back({std::nullopt, leaves_++});
            if (reference) scope_.define(name, leaf);
            else if (!name.empty()) scope_.define(name, scope_.convert(spec.value));
            return;
        }
        const StateTensor& tensor = signature_.state[*state];
        auto& placeholder = placeholders_[*state];
        if (!placeholder) {
            placeholder = graph_->addPlaceholder(name, type, tensor.role, tensor.name);
            result_.inputs.push_back({state, 0});
        }
        scope_.define(name, placeholder);
    }

    /// Adds those of the next user input.
    void addSymbols(const std::string& name) {
        const auto type = document_.graph.tensors.find(name);
        if (type == document_.graph.tensors.end()) return;
        const auto& sizes = type->second.sizes;
        for (std::size_t d = 0; d < sizes.size(); ++d)
            if (!sizes[d].symbol.empty())
                result_.symbols.emplace(sizes[d].symbol,
                                        SymbolPlace{leaves_, static_cast<std::int64_t>(d), sizes[d].value});
    }

    /// The index of a mutated input's placeholder.
    std::size_t placeholderOf(const std::string& name) const {
        const auto inputs = graph_->placeholders();
        const auto place = std::ranges::find(inputs, scope_.nodeOf(name));
        if (place == inputs.end())
            throw Error("the exported program writes to " + inQuotes(name) +
                        ", which is not one of its inputs; save the model again");
        return static_cast<std::size_t>(place - inputs.begin());
    }

    void addOutputs() {
        std::vector<Argument> outputs;
        std::vector<OutputSlot> slots;
        std::size_t returned = 0;
        for (const auto& output : document_.outputs) {
            outputs.push_back(scope_.convert(output.value));
            if (output.kind == exported::OutputSpec::Kind::user) {
                slots.push_back({Role::userOutput, outputLabel(signature_.outputNames.at(returned), returned)});
                result_.outputs.push_back({true, std::nullopt});
                ++returned;
                continue;
            }
            slots.push_back({Role::mutatedInput, output.target});
            const std::string name = exported::mutatedInput(output, document_);
            result_.outputs.push_back({false, std::nullopt});
            if (!mutations_.updatedInPlace.contains(name)) result_.outputs.back().target = placeholderOf(name);
        }
        graph_->setOutput(std::move(outputs), std::move(slots));
    }

    void addNodes(const exported::Graph& graph) {
        const exported::Graph* outer = std::exchange(file_, &graph);
        for (const exported::Node& node : graph.nodes) {
            try {
                addNode(node);
            } catch (const Error& e) {
                throw Error(placeInProgram(node.name, node.target) + e.what());
            } catch (const std::exception& e) {
                throw Error(placeInProgram(node.name, node.target) + firstSentence(e.what()));
            }
        }
        file_ = outer;
        if (scope_.inBatch()) throw Error("a vmap of the exported program does not end; export the model again");
    }

    /// Returns the results of `graph`.
    std::vector<Argument> addBody(const exported::Graph& graph) {
        addNodes(graph);
        std::vector<Argument> values;
        for (const ExportedArgument& output : graph.outputs) values.push_back(scope_.convert(output));
        return values;
    }

    void addNode(const exported::Node& node) {
        const std::string_view target = node.target;
        lost_.look(node);
        if (target.starts_with(kHigherOrder)) {
            const std::string_view name = target.substr(kHigherOrder.size());
            const HigherOrderOperator* known = findHigherOrder(name);
            return known ? addHigherOrder(node, *known) : addRegion(node, name);
        }
        if (const auto batching = batchingOf(target)) return addBatching(node, *batching);
        const bool isNumber = findNumberFunction(target) != nullptr;
        if (isNumber && node.outputs.size() != 1) throw Error("arithmetic has one result");
        if (!isNumber && !target.starts_with(kOperators))
            throw Error("it is neither an operator nor arithmetic on sizes; export the model without it");
        addCall(node, isNumber);
    }

    void addCall(const exported::Node& node, bool isNumber) {
        const std::string op = operationName(node.target);
        const bool ownName = op.starts_with("operator.") || op.starts_with("region.");
        if (ownName && std::string_view(node.target).starts_with(kOperators))
            throw Error("there is no such operator; save the model again");
        std::vector<Argument> args;
        KeywordArguments kwargs;
        const ForeignOperator* foreign = foreign_.find(node.target);
        const auto known = foreign ? std::optional(foreign->op) : isNumber ? std::nullopt : findOperator(op);
        for (const auto& input : node.inputs) {
            Argument value = scope_.convert(input);
            const bool skips = known && !input.name.empty() &&
                               known->schema().argumentIndexWithName(input.name) != static_cast<int>(args.size());
            if (!isNumber && (input.keyword || skips)) kwargs.emplace_back(input.name, std::move(value));
            else args.push_back(std::move(value));
        }
        aotscope::Node* call = addCall(node, op, std::move(args), std::move(kwargs));
        if (foreign) requireAllTaken(node, *foreign);
        if (foreign && (!foreign->definition || !foreign->definition->fake))
            for (const exported::TensorMeta* type : resultTypes({&node, file_})) result_.types[call].push_back(*type);
        if (mutations_.batchNorms.contains(&node)) result_.batchNorms.insert(call);
    }

    /// Also defines the results.
    aotscope::Node* addCall(const exported::Node& node, const std::string& op, std::vector<Argument> args,
                            KeywordArguments kwargs = {}, bool isList = false) {
        const auto results = flattened(node.outputs);
        const auto* single =
            !isList && node.outputs.size() == 1 && node.outputs[0].reference() ? results.front() : nullptr;
        ValueType type;
        if (single) type = recordedType(*file_, single->name);
        else if (!std::ranges::all_of(results, [](const auto* result) { return result == nullptr; }))
            type = {typesOf(results)};
        aotscope::Node* call =
            graph_->addCall(op, std::move(args), std::move(kwargs), std::move(type), single ? single->name : node.name);
        call->source = provenanceOf(node);
        if (single) {
            scope_.define(single->name, call);
            return call;
        }
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (!results[i] || isUnused(results[i]->name)) continue;
            aotscope::Node* item = graph_->addCall("operator.getitem", {call, static_cast<std::int64_t>(i)}, {},
                                                   recordedType(*file_, results[i]->name), results[i]->name);
            item->source = call->source;
            scope_.define(results[i]->name, item);
        }
        return call;
    }

    /// PyTorch names unused results "max_1_unused_1".
    bool isUnused(const std::string& name) {
        if (name.find("_unused_") == std::string::npos) return false;
        const auto [uses, isNew] = uses_.try_emplace(file_);
        if (isNew) uses->second = exported::usesIn(*file_);
        return !uses->second.contains(name);
    }

    TupleType typesOf(const std::vector<const ExportedArgument::Reference*>& results) const {
        TupleType types;
        for (const auto* result : results) types.push_back(result ? recordedType(*file_, result->name) : ValueType{});
        return types;
    }

    void addBatching(const exported::Node& node, Batching what) {
        if (what != Batching::enter && what != Batching::prepare && !scope_.inBatch())
            throw Error("it is outside the vmap that it belongs to; export the model again");
        requireBatchingArguments(what, node.inputs.size());
        std::vector<Argument> args;
        for (const auto& input : node.inputs) args.push_back(scope_.convert(input.value));
        if (what == Batching::leave) scope_.leaveBatch();
        // Removed from the batch, it is an ordinary tensor.
        std::optional<ExportedScope::Batch> batch;
        if (what == Batching::remove) batch = scope_.takeBatch();
        exported::Node call = node;
        if (what != Batching::add && what != Batching::remove) call.outputs.clear();
        addCall(call, operationName(node.target), std::move(args));
        if (batch) scope_.enterBatch(*std::move(batch));
        if (what == Batching::enter) scope_.enterBatch();
    }

    /// Inlines the operations of a region's graph in place of the node that runs it.
    void addRegion(const exported::Node& node, std::string_view name) {
        if (!isInlined(name))
            throw Error("the higher-order operator " + inQuotes(name) +
                        " is not supported; export the model without it");
        const auto at = std::ranges::find_if(node.inputs, [](const auto& input) { return graphIn(input.value); });
        if (at == node.inputs.end()) throw Error("its graph is missing");
        const exported::Graph& graph = *graphIn(at->value);
        auto begin = beginOfRegion(node, name, devices_, checkpoints_);
        if (begin) graph_->addCall(std::move(begin->op), std::move(begin->args), {}, {});
        ExportedScope outside = std::exchange(scope_, boundInputs(node, at - node.inputs.begin(), graph));
        const std::vector<Argument> values = addBody(graph);
        scope_ = std::move(outside);
        if (begin) graph_->addCall(std::string(kEndOfRegion), {}, {}, {});
        const auto results = flattened(node.outputs);
        if (results.size() != values.size())
            throw Error("its graph returns " + counted(values.size(), "value") + ", the exported program takes " +
                        std::to_string(results.size()));
        for (std::size_t i = 0; i < results.size(); ++i)
            if (results[i]) scope_.define(results[i]->name, values[i]);
    }

    /// The values of the inputs of a region's graph: the last arguments of the node.
    ExportedScope boundInputs(const exported::Node& node, std::ptrdiff_t graphAt, const exported::Graph& graph) const {
        const std::size_t count = graph.inputs.size();
        std::vector<const ExportedArgument*> given;
        for (auto input = node.inputs.begin() + graphAt + 1; input != node.inputs.end(); ++input)
            if (input->name.empty()) given.push_back(&input->value);
        if (given.size() < count)
            throw Error("its graph takes " + counted(count, "input") + ", found " + std::to_string(given.size()));
        ExportedScope scope;
        for (std::size_t i = 0; i < count; ++i)
            if (const auto* reference = graph.inputs[i].reference())
                scope.define(reference->name, scope_.convert(*given[given.size() - count + i]));
        return scope;
    }

    /// An operator that runs graphs at run time, any number of times.
    void addHigherOrder(const exported::Node& node, const HigherOrderOperator& known) {
        std::vector<Argument> args;
        std::size_t graphs = 0;
        for (const auto& input : node.inputs) {
            const exported::Graph* graph = graphIn(input.value);
            if (graph && (graphs == std::size(known.prefixes) || !known.prefixes[graphs]))
                throw Error("it runs more graphs than expected; export the model again");
            if (graph) args.emplace_back(subgraph(known.prefixes[graphs++], *graph));
            else args.push_back(scope_.convert(input));
        }
        addCall(node, operationName(node.target), std::move(args), {}, true);
    }

    Argument::Subgraph subgraph(const std::string& prefix, const exported::Graph& graph) {
        const std::string name = prefix + "_" + std::to_string(subgraphs_[prefix]++);
        auto outside = std::exchange(graph_, std::make_unique<Graph>(name));
        ExportedScope around = std::exchange(scope_, {});
        for (const ExportedArgument& input : graph.inputs) {
            const auto* reference = input.reference();
            aotscope::Node* placeholder = graph_->addPlaceholder(
                reference ? reference->name : "unused", reference ? recordedType(graph, reference->name) : ValueType{});
            if (reference) scope_.define(reference->name, placeholder);
        }
        graph_->setOutput(addBody(graph), std::vector<OutputSlot>(graph.outputs.size()));
        scope_ = std::move(around);
        return std::exchange(graph_, std::move(outside));
    }

    void addWarnings() {
        auto& warnings = result_.warnings;
        if (checkpoints_ > 0)
            warnings.emplace_back(
                "the exported program has regions with activation checkpointing, whose operations are recomputed; a "
                "policy that saves some of them is not in the file: give it again with --policy");
        std::ranges::copy(warningsOf(devices_), std::back_inserter(warnings));
        std::ranges::copy(lost_.warnings(checkpoints_ > 0), std::back_inserter(warnings));
    }

    const exported::Document& document_;
    const ExportedSignature& signature_;
    const ForeignOperators& foreign_;
    const exported::Mutations mutations_;
    const ProgramDevices devices_;
    ExportedGraph result_;
    std::unique_ptr<Graph> graph_ = std::make_unique<Graph>("source");
    const exported::Graph* file_ = nullptr;                          ///< that contains the current node
    ExportedScope scope_;                                            ///< the values of the names in it
    std::unordered_map<std::size_t, aotscope::Node*> placeholders_;  ///< by index in the state
    std::size_t leaves_ = 0;                                         ///< user inputs so far
    std::map<std::string, int> subgraphs_;                           ///< number by name prefix
    std::int32_t checkpoints_ = 0;                                   ///< checkpointed regions so far
    LostInExport lost_;
    std::unordered_map<const exported::Graph*, exported::Uses> uses_;
};

}  // namespace

ExportedGraph graphOf(const exported::Document& document, const ExportedSignature& signature,
                      const ForeignOperators& foreign, c10::Device device) {
    return ExportedConverter(document, signature, foreign, device).run();
}

std::string placeInProgram(const std::string& name, const std::string& target) {
    return "operation " + inQuotes(name) + " (" + target + ") of the exported program: ";
}

}  // namespace aotscope
