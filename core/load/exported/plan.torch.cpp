#include "load/exported/plan.h"

#include "aten/convert.h"
#include "load/exported/arguments.h"
#include "load/exported/export_provenance.h"
#include "load/exported/last_uses.h"
#include "load/exported/mutations.h"
#include "load/exported/opaque_schema.h"
#include "load/exported/region.h"
#include "program/higher_order.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace aotscope {

namespace {

using exported::kHigherOrder;
using exported::kOperators;

/// Checks of values that were made when the program was exported; they compute nothing.
bool isCheck(const std::string& target) {
    static const std::set<std::string> checks = {"torch.ops.aten._assert_tensor_metadata.default",
                                                 "torch.ops.aten.sym_constrain_range.default",
                                                 "torch.ops.aten.sym_constrain_range_for_size.default"};
    return checks.contains(target);
}

/// The names that `outputs` define, lists flattened.
void appendNames(const std::vector<exported::Argument>& outputs, std::vector<std::string>& names) {
    for (const exported::Argument& output : outputs) {
        if (const auto* reference = output.reference()) names.push_back(reference->name);
        else if (const auto* list = output.list()) appendNames(*list, names);
        else names.emplace_back();
    }
}

class Planner {
public:
    Planner(const exported::Document& document, const ForeignOperators& foreign, c10::Device device)
        : document_(document),
          foreign_(foreign),
          mutations_(exported::mutationsOf(document)),
          arguments_([this](const std::string& name) { return lookUp(name); }, device),
          devices_(devicesOf(document.graph, device)) {}

    ProgramPlan run() {
        scopes_.emplace_back();
        for (std::size_t i = 0; i < document_.inputs.size(); ++i)
            addInput(document_.inputs[i], document_.graph.inputs[i]);
        for (const auto& name : mutations_.keepsOldValue) keepOldValue(name);
        addNodes(document_.graph, plan_.body);
        requireLeftBatches();
        for (const auto& output : document_.outputs) addOutput(output);
        if (needsSymbols_) findSymbols();
        plan_.slots = slots_;
        freeAfterLastUse(plan_.body, plan_.outputs);
        *locations_ = plan_.locations;
        addWarnings();
        return std::move(plan_);
    }

private:
    Operand lookUp(const std::string& name) const {
        const auto it = scopes_.back().find(name);
        if (it == scopes_.back().end()) throw Error("it uses " + inQuotes(name) + ", which is not defined before");
        return it->second;
    }

    void define(const std::string& name, Operand operand) {
        if (!scopes_.back().emplace(name, std::move(operand)).second)
            throw Error(inQuotes(name) + " is defined twice in the exported program; save the model again");
        if (!batches_.empty()) batches_.back().push_back(name);
    }

    std::size_t newSlot(const std::string& name) {
        define(name, {slots_, {}});
        return slots_++;
    }

    void addInput(const exported::InputSpec& spec, const exported::Argument& input) {
        if (const auto* reference = input.reference()) {
            plan_.inputs.emplace_back(newSlot(reference->name));
            return;
        }
        plan_.inputs.emplace_back(std::nullopt);
        if (!spec.target.empty()) define(spec.target, arguments_.operand(input));
    }

    void findSymbols() {
        for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
            const auto* reference = document_.graph.inputs[i].reference();
            const auto type = reference ? document_.graph.tensors.find(reference->name) : document_.graph.tensors.end();
            if (!plan_.inputs[i] || type == document_.graph.tensors.end()) continue;
            const auto& sizes = type->second.sizes;
            for (std::size_t d = 0; d < sizes.size(); ++d)
                if (!sizes[d].symbol.empty())
                    plan_.symbols.emplace(sizes[d].symbol,
                                          SymbolPlace{*plan_.inputs[i], static_cast<std::int64_t>(d), sizes[d].value});
        }
    }

    /// The program works on a copy of a mutated input from now on.
    void keepOldValue(const std::string& name) {
        Operand& current = scopes_.back().at(name);
        mutated_.emplace(name, current);
        Step step = plainCall("aten::clone", {current, {}});
        current = {slots_++, {}};
        step.results = {{current.slot}};
        step.resultIsList = {false};
        plan_.body.steps.push_back(std::move(step));
    }

    /// A call that no node of the program stands for; `arguments` are all of the operator's.
    static Step plainCall(const char* name, const std::vector<Operand>& arguments) {
        Step step;
        step.what = CallStep{c10::Dispatcher::singleton().findSchemaOrThrow(name, "")};
        for (const Operand& operand : arguments) {
            step.arguments.emplace_back();
            step.arguments.back().operand = operand;
        }
        return step;
    }

    void addNodes(const exported::Graph& graph, Block& block) {
        const exported::Graph* outer = std::exchange(graph_, &graph);
        for (const exported::Node& node : graph.nodes) {
            try {
                addNode(node, block);
            } catch (const Error& e) {
                throw Error("operation " + inQuotes(node.name) + " (" + node.target +
                            ") of the exported program: " + e.what());
            } catch (const std::exception& e) {
                throw Error("operation " + inQuotes(node.name) + " (" + node.target +
                            ") of the exported program: " + firstSentence(e.what()));
            }
        }
        graph_ = outer;
    }

    void addNode(const exported::Node& node, Block& block) {
        const std::string_view target = node.target;
        if (isCheck(node.target)) return;
        if (const auto function = customFunctionOf(node)) customFunctions_.insert(*function);
        if (const auto place = checkpointCallOf(node)) checkpointCalls_.insert(*place);
        if (target.starts_with(kHigherOrder)) return addRegion(node, target.substr(kHigherOrder.size()), block);
        if (target == "torch.ops.aten._assert_scalar.default") return addAssertion(node, block);
        if (const auto batching = batchingOf(target)) return addBatching(node, *batching, block);
        if (const NumberFunction function = findNumberFunction(target)) return addNumber(node, function, block);
        if (mutations_.batchNorms.contains(&node)) return addBatchNorm(node, block);
        if (target.starts_with(kOperators)) return addCall(node, target.substr(kOperators.size()), block);
        throw Error("it is neither an operator nor arithmetic on sizes; export the model without it");
    }

    Step newStep(const exported::Node& node) {
        Step step;
        const auto source = provenanceOf(node);
        if (!source) return step;
        auto& locations = plan_.locations;
        if (locations.empty() || *locations.back() != *source) locations.push_back(source);
        step.location = locations.size() - 1;
        return step;
    }

    void addCall(const exported::Node& node, std::string_view target, Block& block) {
        if (const ForeignOperator* foreign = foreign_.find(node.target)) return addForeign(node, *foreign, block);
        const c10::OperatorName name = operatorName(std::string(target));
        const auto op = c10::Dispatcher::singleton().findSchema(name);
        if (!op)
            throw Error("operator '" + c10::toString(name) +
                        "' is unknown; give the library that defines it with --library FILE.so");
        Step step = newStep(node);
        step.what = CallStep{*op};
        planArguments(node, op->schema(), step);
        planResults(node, op->schema(), step);
        block.steps.push_back(std::move(step));
    }

    void addForeign(const exported::Node& node, const ForeignOperator& foreign, Block& block) {
        requireAllTaken(node, foreign);
        Step step = newStep(node);
        CallStep call{foreign.op, foreign.definition};
        if (!foreign.definition || !foreign.definition->fake)
            for (const exported::TensorMeta* type : resultTypes({&node, graph_})) call.types.push_back(*type);
        needsSymbols_ = needsSymbols_ || !call.types.empty();
        step.what = std::move(call);
        planArguments(node, foreign.op.schema(), step);
        planResults(node, foreign.op.schema(), step);
        block.steps.push_back(std::move(step));
    }

    /// As the model called it before its mutations were taken out: the running statistics are updated in place.
    void addBatchNorm(const exported::Node& node, Block& block) {
        exported::Node original = node;
        original.outputs.resize(3);
        addCall(original, "aten.native_batch_norm.default", block);
    }

    void planArguments(const exported::Node& node, const c10::FunctionSchema& schema, Step& step) {
        std::unordered_map<std::string, const exported::Argument*> given;
        const auto& arguments = schema.arguments();
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const std::string& name = node.inputs[i].name;  // empty: a positional argument of the edge dialect
            given.emplace(name.empty() && i < arguments.size() ? arguments[i].name() : name, &node.inputs[i].value);
        }
        for (const auto& declared : arguments) {
            const auto it = given.find(declared.name());
            if (it == given.end()) {
                if (!declared.default_value()) throw Error("its argument " + inQuotes(declared.name()) + " is missing");
                ArgumentPlan plan;
                plan.operand.constant = *declared.default_value();
                step.arguments.push_back(std::move(plan));
                continue;
            }
            try {
                step.arguments.push_back(arguments_.plan(*it->second, declared.real_type(), declared.N().value_or(1)));
            } catch (const Error& e) {
                throw Error("argument " + inQuotes(declared.name()) + ": " + e.what());
            }
            given.erase(it);
        }
        if (!given.empty()) throw Error("it has no argument called '" + given.begin()->first + "'");
    }

    void planResults(const exported::Node& node, const c10::FunctionSchema& schema, Step& step) {
        if (!node.outputs.empty() && node.outputs.size() != schema.returns().size())
            throw Error("it returns " + counted(schema.returns().size(), "value") + ", the exported program takes " +
                        std::to_string(node.outputs.size()));
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            const bool isList = schema.returns()[i].type()->kind() == c10::TypeKind::ListType;
            std::vector<std::string> names;
            appendNames({node.outputs[i]}, names);
            if (!isList && names.size() != 1) throw Error("one of its results is not a list");
            std::vector<std::size_t> slots;
            for (const auto& name : names)
                if (!name.empty()) slots.push_back(newSlot(name));
            step.results.push_back(std::move(slots));
            step.resultIsList.push_back(isList && node.outputs[i].list());
        }
    }

    void addNumber(const exported::Node& node, NumberFunction function, Block& block) {
        Step step = newStep(node);
        step.what = NumberStep{function};
        for (const auto& input : node.inputs)
            step.arguments.push_back(arguments_.plan(input.value, c10::AnyType::get()));
        if (node.outputs.size() != 1) throw Error("arithmetic has one result");
        const auto* result = node.outputs[0].reference();
        if (!result) return;  // known when the program was exported
        step.results = {{newSlot(result->name)}};
        step.resultIsList = {false};
        block.steps.push_back(std::move(step));
    }

    void addBatching(const exported::Node& node, Batching what, Block& block) {
        if (what == Batching::prepare) return;
        if (what != Batching::enter && batches_.empty())
            throw Error("it stands outside of the vmap that it belongs to; export the model again");
        Step step = newStep(node);
        step.what = BatchingStep{what};
        requireBatchingArguments(what, node.inputs.size());
        for (const auto& input : node.inputs)
            step.arguments.push_back(arguments_.plan(input.value, c10::AnyType::get()));
        if (what == Batching::leave) leaveBatch();
        const auto* result = node.outputs.empty() ? nullptr : node.outputs[0].reference();
        const bool isTensor = what == Batching::add || what == Batching::remove;
        if (result && isTensor) step.results = {{newSlot(result->name)}};
        if (what == Batching::remove && result) batches_.back().pop_back();  // it is no part of the batch any more
        if (what == Batching::remove && result && batches_.size() > 1)
            batches_[batches_.size() - 2].push_back(result->name);
        if (what == Batching::enter) batches_.emplace_back();
        block.steps.push_back(std::move(step));
    }

    void requireLeftBatches() const {
        if (!batches_.empty()) throw Error("a vmap of the exported program does not end; export the model again");
    }

    /// The tensors of a batch mean nothing after its end.
    void leaveBatch() {
        for (const auto& name : batches_.back()) scopes_.back().erase(name);
        batches_.pop_back();
    }

    void addAssertion(const exported::Node& node, Block& block) {
        if (node.inputs.empty()) throw Error("its condition is missing");
        Step step = newStep(node);
        std::string message;
        if (node.inputs.size() > 1)
            if (const auto* text = std::get_if<std::string>(&node.inputs[1].value.value)) message = *text;
        step.what = AssertionStep{std::move(message)};
        step.arguments.push_back(arguments_.plan(node.inputs[0].value, c10::AnyType::get()));
        block.steps.push_back(std::move(step));
    }

    void addRegion(const exported::Node& node, std::string_view name, Block& block) {
        if (findHigherOrder(name)) return addHigherOrder(node, name, block);
        if (!isInlined(name))
            throw Error("the higher-order operator " + inQuotes(name) +
                        " is not supported; export the model without it");
        std::size_t graphAt = 0;
        while (graphAt < node.inputs.size() && !graphIn(node.inputs[graphAt].value)) ++graphAt;
        if (graphAt == node.inputs.size()) throw Error("its graph is missing");
        const auto& graph = *graphIn(node.inputs[graphAt].value);
        Step step = newStep(node);
        RegionStep region = regionOf(node, name, devices_);
        if (name == "tag_activation_checkpoint") region.checkpoint = newCheckpoint();
        region.body = std::make_shared<Block>();
        auto inner = bindRegion(node, graphAt, graph);
        scopes_.push_back(std::move(inner));
        auto batches = std::exchange(batches_, {});
        addNodes(graph, *region.body);
        requireLeftBatches();
        batches_ = std::move(batches);
        std::vector<Operand> results;
        for (const exported::Argument& output : graph.outputs) results.push_back(arguments_.operand(output));
        scopes_.pop_back();
        std::vector<std::string> names;
        appendNames(node.outputs, names);
        if (names.size() != results.size())
            throw Error("its graph returns " + counted(results.size(), "value") + ", the exported program takes " +
                        std::to_string(names.size()));
        for (std::size_t i = 0; i < names.size(); ++i)
            if (!names[i].empty()) define(names[i], results[i]);
        step.what = std::move(region);
        block.steps.push_back(std::move(step));
    }

    std::int32_t newCheckpoint() {
        warn(
            "the exported program has regions with activation checkpointing, whose operations are recomputed; a policy "
            "that saves some of them is not in the file: give it again with --policy");
        return checkpoints_++;
    }

    /// An operator that runs graphs at run time, any number of times.
    void addHigherOrder(const exported::Node& node, std::string_view name, Block& block) {
        Step step = newStep(node);
        step.what = CallStep{
            c10::Dispatcher::singleton().findSchemaOrThrow(("higher_order::" + std::string(name)).c_str(), "")};
        const auto& declared = std::get<CallStep>(step.what).op.schema().arguments();
        if (node.inputs.size() != declared.size())
            throw Error("it has " + counted(node.inputs.size(), "argument") + ", expected " +
                        std::to_string(declared.size()) + "; export the model again");
        std::vector<bool> numbers;  // of the inputs of its graphs
        std::size_t position = 0;
        for (std::size_t i = 0; i < declared.size(); ++i) {
            const exported::Argument& given = node.inputs[i].value;
            const exported::Graph* graph = graphIn(given);
            if ((graph != nullptr) != (declared[i].type()->kind() == c10::TypeKind::AnyType))
                throw Error("its argument " + inQuotes(declared[i].name()) + (graph ? " is" : " is not") + " a graph");
            if (!graph) {
                const auto tensors = given.list() ? takeNumbers(*given.list(), numbers, position, step) : given;
                step.arguments.push_back(arguments_.plan(tensors, declared[i].real_type()));
                continue;
            }
            if (numbers.empty()) numbers = numberInputs(*graph);
            if (numbers != numberInputs(*graph) ||
                (name == "associative_scan" && std::count(numbers.begin(), numbers.end(), true) > 0))
                throw Error("its graph takes a number where only tensors are supported; compute it within the graph");
            step.arguments.emplace_back();
            step.arguments.back().operand.constant = planSubgraph(*graph);
        }
        std::vector<std::string> names;
        appendNames(node.outputs, names);
        step.results.emplace_back();
        Block readings;  // numbers come as tensors
        for (const std::string& result : names) {
            const bool isNumber = !result.empty() && !graph_->tensors.contains(result);
            step.results.back().push_back(result.empty() || isNumber ? slots_++ : newSlot(result));
            if (!isNumber) continue;
            readings.steps.push_back(plainCall("aten::item", {{step.results.back().back(), {}}}));
            readings.steps.back().results = {{newSlot(result)}};
            readings.steps.back().resultIsList = {false};
        }
        step.resultIsList = {true};
        block.steps.push_back(std::move(step));
        std::ranges::move(readings.steps, std::back_inserter(block.steps));
    }

    /// The tensors among `operands`, which stand for the inputs of the step's graphs from `position` on.
    exported::Argument takeNumbers(const exported::Argument::List& operands, const std::vector<bool>& numbers,
                                   std::size_t& position, Step& step) {
        exported::Argument::List tensors;
        for (const exported::Argument& operand : operands) {
            const bool isNumber = position < numbers.size() && numbers[position];
            ++position;
            if (isNumber) std::get<CallStep>(step.what).numbers.push_back(arguments_.operand(operand));
            else tensors.push_back(operand);
        }
        exported::Argument result;
        result.value = std::move(tensors);
        return result;
    }

    c10::IValue planSubgraph(const exported::Graph& graph) {
        const std::size_t outside = std::exchange(slots_, 0);
        scopes_.emplace_back();
        SubgraphPlan plan;
        plan.inputs = numberInputs(graph);
        for (const exported::Argument& input : graph.inputs) {
            if (const auto* reference = input.reference()) newSlot(reference->name);
            else ++slots_;
        }
        addNodes(graph, plan.body);
        for (const exported::Argument& output : graph.outputs) plan.outputs.push_back(arguments_.operand(output));
        scopes_.pop_back();
        plan.slots = std::exchange(slots_, outside);
        plan.locations = locations_;
        freeAfterLastUse(plan.body, plan.outputs);
        return subgraphValue(std::move(plan));
    }

    static const exported::Graph* graphIn(const exported::Argument& argument) {
        const auto* graph = std::get_if<std::shared_ptr<const exported::Graph>>(&argument.value);
        return graph ? graph->get() : nullptr;
    }

    using Scope = std::unordered_map<std::string, Operand>;

    /// What the inputs of a region's graph stand for: the last arguments of the node.
    Scope bindRegion(const exported::Node& node, std::size_t graphAt, const exported::Graph& graph) {
        const std::size_t count = graph.inputs.size();
        std::vector<const exported::Argument*> given;
        for (std::size_t i = graphAt + 1; i < node.inputs.size(); ++i)
            if (node.inputs[i].name.empty()) given.push_back(&node.inputs[i].value);
        if (given.size() < count)
            throw Error("its graph takes " + counted(count, "input") + ", found " + std::to_string(given.size()));
        Scope scope;
        for (std::size_t i = 0; i < count; ++i)
            if (const auto* reference = graph.inputs[i].reference())
                scope.emplace(reference->name, arguments_.operand(*given[given.size() - count + i]));
        return scope;
    }

    void addOutput(const exported::OutputSpec& output) {
        using Kind = exported::OutputSpec::Kind;
        if (output.kind == Kind::user) {
            plan_.outputs.push_back(arguments_.operand(output.value));
            return;
        }
        const std::string name = exported::mutatedInput(output, document_);
        if (mutations_.updatedInPlace.contains(name)) return;
        const auto copied = mutated_.find(name);
        const Operand target = copied == mutated_.end() ? lookUp(name) : copied->second;
        plan_.body.steps.push_back(
            plainCall("aten::copy_", {target, arguments_.operand(output.value), {Operand::kConstant, false}}));
    }

    void warn(const std::string& text) {
        auto& warnings = plan_.warnings;
        if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
    }

    void addWarnings() {
        for (const std::string& text : warningsOf(devices_)) warn(text);
        const auto opaque = foreign_.opaque();
        for (const auto& name : opaque) plan_.unknownOperators.push_back(whatIsUnknown(name, document_.asWritten));
        if (!opaque.empty())
            plan_.whyNotRun = "the model calls the operator '" + opaque.front() +
                              "', which has no kernel here; load the library that has it with --library, or define it "
                              "with --define";
        for (const auto& function : customFunctions_)
            warn("torch.export has inlined the forward of a custom autograd function (" + function +
                 "); its own backward is lost, gradients follow from the operations of its forward");
        if (!checkpointCalls_.empty() && checkpoints_ == 0) warn(lostCheckpoints(checkpointCalls_));
    }

    const exported::Document& document_;
    const ForeignOperators& foreign_;
    exported::Mutations mutations_;
    ArgumentPlanner arguments_;
    ProgramDevices devices_;
    ProgramPlan plan_;
    std::unordered_map<std::string, Operand> mutated_;  ///< inputs of which the program has a copy
    std::vector<Scope> scopes_;
    std::int32_t checkpoints_ = 0;                   ///< regions with activation checkpointing so far
    std::vector<std::vector<std::string>> batches_;  ///< for each vmap around a node, what it has defined so far
    const exported::Graph* graph_ = nullptr;         ///< that the current node is in
    bool needsSymbols_ = false;
    std::size_t slots_ = 0;  ///< of the program, or of the subgraph that is being planned
    /// Filled in at the end; subgraphs refer to it.
    std::shared_ptr<std::vector<std::shared_ptr<const SourceInfo>>> locations_ =
        std::make_shared<std::vector<std::shared_ptr<const SourceInfo>>>();
    std::set<std::string> customFunctions_, checkpointCalls_;
};

}  // namespace

ProgramPlan planProgram(const exported::Document& document, const ForeignOperators& foreign, c10::Device device) {
    return Planner(document, foreign, device).run();
}

}  // namespace aotscope
