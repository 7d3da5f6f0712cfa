#include "verify/printed/printed_graphs.h"

#include "aten/find_operator.h"
#include "ir/output_names.h"
#include "ir/subgraphs.h"
#include "load/printed/derived_types.h"
#include "load/printed/printed_metadata.h"
#include "load/printed/syntax/roles.h"
#include "load/torchscript/definitions.h"
#include "ops/defined_operators.h"
#include "ops/number_functions.h"
#include "ops/op_table.h"
#include "ops/operator_policy.h"
#include "ops/repeated_draws.h"
#include "support/error.h"
#include "support/names.h"
#include "verify/printed/printed_form.h"
#include "verify/printed/printed_inputs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

namespace aotscope {

namespace {

bool isCollective(const Node& node) {
    const auto op = findOperator(node.op());
    return op && operatorKinds(op->operator_name().name, op->operator_name().overload_name)
                     .contains(OperatorKind::collectives);
}

/// An operator without a definition in another file may have a built-in one.
bool canBeCalled(const std::string& name) {
    const auto op = findOperator(name);
    if (op && (!isRegisteredHere(op->operator_name()) || definitionOf(op->operator_name()))) return true;
    return registerBuiltIn(name) || op;
}

bool isKnown(const Node& node) {
    return isGetitem(node) || findNumberFunction(node.op()) || node.isCall(kRngState) ||
           node.isCall(kRunWithRngState) || canBeCalled(node.op());
}

/// "mylib.f.default and 2 other operations", or empty.
std::string operationsThat(const Graph& graph, bool (*are)(const Node&)) {
    std::set<std::string_view> seen, found;
    const auto search = [&](const Graph& within) {
        for (const Node* node : within.nodes())
            if (node->kind() == NodeKind::call && seen.insert(node->op()).second && are(*node))
                found.insert(node->op());
    };
    search(graph);
    for (const auto& subgraph : subgraphsWithin(graph)) search(*subgraph);
    if (found.empty()) return {};
    return std::string(*found.begin()) +
           (found.size() > 1 ? " and " + counted(found.size() - 1, "other operation") : "");
}

std::string unknownOperations(const Graph& graph) {
    return operationsThat(graph, [](const Node& node) { return !isKnown(node); });
}

/// A symbol in printed sizes without a known value, or empty.
std::string unknownSymbol(const Graph& graph) {
    const auto isLetter = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    for (const Node* node : graph.nodes()) {
        const std::string_view sizes = node->kind() == NodeKind::call ? std::string_view(node->label) : "";
        for (auto at = sizes.find_first_of("[("); at < sizes.size(); ++at) {
            auto end = at;
            while (end < sizes.size() && isLetter(sizes[end])) ++end;
            const auto digits = end;
            while (end < sizes.size() && isDigit(sizes[end])) ++end;
            if (at < digits && digits < end) return std::string(sizes.substr(at, end - at));
            if (end > at) at = end - 1;
        }
    }
    return {};
}

std::string whyNoInputs(const Graph& graph) {
    for (const Node* node : graph.nodes()) {
        if ((node->kind() != NodeKind::placeholder && node->kind() != NodeKind::constant) || isOpaque(node)) continue;
        const std::string why = whyNoValue(*node), symbol = why.empty() ? std::string() : unknownSymbol(graph);
        if (why.empty()) continue;
        if (symbol.empty()) return why + "; print the graph with gm.print_readable(), which says the sizes";
        return why + "; log the values of symbols with TORCH_TRACE or TORCH_LOGS=dynamic, or give them: --check --at " +
               symbol + "=8";
    }
    return {};
}

/// Numbers, then tensors: the order in which a backward takes saved values.
std::vector<const Node*> savedNodes(const Graph& forward) {
    std::vector<const Node*> saved;
    for (const Role role : {Role::savedSymint, Role::saved})
        for (std::size_t i = 0; i < forward.outputs().size(); ++i)
            if (forward.outputSlots()[i].role == role) saved.push_back(forward.outputs()[i].node());
    return saved;
}

std::size_t returnsOf(const Graph& forward) {
    const auto& slots = forward.outputSlots();
    return static_cast<std::size_t>(
        std::count_if(slots.begin(), slots.end(), [](const OutputSlot& slot) { return !isSavedRole(slot.role); }));
}

/// Which results of the forward have a tangent: from the metadata, or the next one of the same type.
std::optional<std::vector<bool>> tangentMaskOf(const Graph& forward, const Graph& backward,
                                               const FunctionMetadata* metadata) {
    const auto tangents = tangentsOf(backward);
    const std::size_t returns = returnsOf(forward);
    if (metadata) {
        std::vector<bool> mask = metadata->tangentMask();
        if (mask.size() == returns &&
            static_cast<std::size_t>(std::count(mask.begin(), mask.end(), true)) == tangents.size())
            return mask;
    }
    std::vector<bool> mask(returns);
    std::size_t next = 0;
    for (std::size_t i = 0; i < returns && next < tangents.size(); ++i) {
        const Node* node = forward.outputs()[i].node();
        const auto *made = node ? node->type.tensor() : nullptr, *wanted = tangents[next]->type.tensor();
        if (!made || !wanted || made->dtype != wanted->dtype || made->sizes != wanted->sizes) continue;
        mask[i] = true;
        ++next;
    }
    return next == tangents.size() ? std::optional(mask) : std::nullopt;
}

/// Whether the backward's input is the forward's saved value. An RNG state has different names in both.
bool isSameValue(const Node* saved, const Node* taken) {
    return saved && (saved->id() == taken->id() || (saved->isCall(kRngState) && isRepeatedState(taken)));
}

/// Whether random numbers come from Inductor's seeds, which no other graph has.
bool drawsAsInductor(const Graph& graph) {
    return std::ranges::any_of(graph.nodes(),
                               [](const Node* node) { return node->op().starts_with("prims.inductor_rand"); });
}

/// Why forward and backward do not match, as a sentence.
std::string whyNoPair(const Graph& forward, const Graph& backward, const FunctionMetadata* metadata) {
    const auto taken = primalsOf(backward);
    const auto saved = savedNodes(forward);
    for (std::size_t i = 0; i < std::max(taken.size(), saved.size()); ++i) {
        if (i >= saved.size() || (i < taken.size() && !isSameValue(saved[i], taken[i])))
            return "the halves cannot run: the backward takes '" + taken[i]->name() +
                   "', which the forward does not return in this place; print both of one compilation";
        if (i >= taken.size())
            return "the halves cannot run: the forward returns a value that the backward does not take; print both of "
                   "one compilation";
    }
    if (backward.outputs().size() != forward.placeholders().size())
        return "the halves cannot run: the backward returns " + counted(backward.outputs().size(), "gradient") +
               ", the forward has " + counted(forward.placeholders().size(), "input");
    if (!tangentMaskOf(forward, backward, metadata))
        return "the halves cannot run: which result of the forward a tangent belongs to is not printed";
    return {};
}

// --- executable form ---

bool runsSomewhere(const Device& device) { return device.name != "cpu" && device.name != "meta"; }

/// Types in a run: sizes are the printed ones, whatever their symbols, and printed devices become that of the run:
/// those other than the CPU, or all if there are no others.
class RunTypes {
public:
    RunTypes(const std::vector<std::shared_ptr<const Graph>>& graphs, std::string device) : device_{std::move(device)} {
        for (const auto& graph : graphs)
            for (const Node* node : graph->nodes())
                if (const auto* tensor = node->type.firstTensor(); tensor && runsSomewhere(tensor->device))
                    cpu_ = false;
    }

    Device operator()(const Device& device) const {
        return runsSomewhere(device) || (cpu_ && device.name == "cpu") ? device_ : device;
    }
    void apply(ValueType& type) const {
        if (auto* tensor = type.tensor()) {
            tensor->device = (*this)(tensor->device);
            tensor->symbolic.reset();
        }
        if (auto* scalar = std::get_if<ScalarType>(&type.data)) scalar->expression.reset();
        if (auto* tuple = std::get_if<TupleType>(&type.data))
            for (ValueType& element : *tuple) apply(element);
    }
    Argument apply(const Argument& argument) const {
        if (const auto* device = std::get_if<Device>(&argument.value)) return (*this)(*device);
        const auto* list = argument.list();
        if (!list) return argument;
        Argument::List changed;
        for (const Argument& element : *list) changed.push_back(apply(element));
        return changed;
    }

private:
    Device device_;
    bool cpu_ = true;
};

/// Only used results are printed; the interpreter must know their number.
void completeTuple(Node& node) {
    const auto op = findOperator(node.op());
    const auto count = op ? op->schema().returns().size() : 0;
    if (count < 2) return;
    TupleType elements = node.type.tuple() ? *node.type.tuple() : TupleType();
    if (elements.size() > count)
        throw Error("%" + node.name() + " = " + node.op() + " has " + counted(count, "result") +
                    "; the printed graph takes result " + std::to_string(elements.size() - 1));
    elements.resize(count);
    node.type.data = std::move(elements);
}

/// In a graph that runs alone, everything is an output; the use of a forward's outputs is not printed.
void setRunSlots(std::vector<OutputSlot>& slots, bool alone) {
    std::size_t result = 0;
    for (OutputSlot& slot : slots) {
        if (alone && slot.role == Role::gradient && !slot.label.empty())
            slot = {Role::userOutput, "gradient of " + slot.label};
        else if (alone || (!isSavedRole(slot.role) && slot.role != Role::gradient))
            slot = {Role::userOutput, outputLabel(slot.role == Role::userOutput ? outputName(slot) : "", result)};
        if (slot.role == Role::userOutput) ++result;
    }
}

std::shared_ptr<const Graph> prepared(const Graph& printed, const RunTypes& types, bool alone) {
    auto graph = std::make_shared<Graph>(printed.name());
    std::unordered_map<const Node*, Node*> copies;
    for (const Node* node : printed.nodes()) {
        if (node->kind() == NodeKind::output) continue;
        Node* copy = graph->copyNode(node, [&](const Node* input) { return Argument(copies.at(input)); });
        copies[node] = copy;
        types.apply(copy->type);
        if (node->kind() != NodeKind::call) continue;
        std::vector<Argument> args;
        KeywordArguments kwargs;
        for (const Argument& argument : copy->args()) args.push_back(types.apply(argument));
        for (const auto& [key, argument] : copy->kwargs()) kwargs.emplace_back(key, types.apply(argument));
        graph->setArguments(copy, std::move(args), std::move(kwargs));
        if (!isGetitem(*copy)) completeTuple(*copy);
    }
    deriveTypes(*graph);
    std::vector<Argument> outputs;
    std::vector<OutputSlot> slots = printed.outputSlots();
    for (const Argument& output : printed.outputs())
        outputs.push_back(mapNodes(output, [&](const Node* node) { return Argument(copies.at(node)); }));
    setRunSlots(slots, alone);
    graph->setIdentity(graph->setOutput(std::move(outputs), std::move(slots)), printed.output()->id());
    return graph;
}

/// A clause; empty if it can.
std::string whyGraphCannotRun(const Graph& graph) {
    if (const std::string unknown = unknownOperations(graph); !unknown.empty())
        return "LibTorch does not know " + unknown + "; load the library that registers it with --library";
    if (const std::string collectives = operationsThat(graph, isCollective); !collectives.empty())
        return collectives + " exchanges tensors with other processes, which are not there";
    return whyNoInputs(graph);
}

/// The graphs of a sequence; many passes do not change theirs.
std::vector<RunnablePass> runnablePasses(const CompileRecord& sequence, const RunTypes& types) {
    const Graph& last = *sequence.passes.back().graphs.front().second;
    std::unordered_map<const Graph*, RunnablePass> known;
    std::vector<RunnablePass> passes;
    for (const PassRecord& pass : sequence.passes) {
        const auto& [kind, own] = pass.graphs.front();
        const auto form = kind == GraphKind::source ? own : runnableForm(own);
        const Graph& printed = *form;
        const auto [it, isNew] = known.try_emplace(own.get());
        RunnablePass& run = it->second;
        if (isNew && kind == GraphKind::source) run.whyNot = "TorchDynamo's graph is only shown";
        else if (isNew && !takesTheSame(printed, last)) run.whyNot = "it takes or returns other values than the last";
        else if (isNew) run.whyNot = whyGraphCannotRun(printed);
        if (isNew && run.whyNot.empty()) run.graph = prepared(printed, types, /*alone=*/true);
        passes.push_back(run);
    }
    return passes;
}

/// For the graphs that a run executes. Throws Error, with one sentence, if they cannot run.
std::vector<std::shared_ptr<const Graph>> runnableForms(const CompileRecord& record) {
    if (!record.error.empty()) throw Error(record.error);
    std::vector<std::shared_ptr<const Graph>> forms;
    for (const GraphKind kind : executedGraphs(record)) {
        std::string why;
        try {
            forms.push_back(runnableForm(record.graph(kind)));
            why = whyGraphCannotRun(*forms.back());
        } catch (const Error& e) {
            why = e.what();
        }
        if (!why.empty())
            throw Error("the " + std::string(name(kind)) + " graph" +
                        (isSequence(record) ? " of '" + std::string(name(record.passes.back())) + "'" : "") +
                        " cannot run: " + why);
    }
    if (forms.empty())
        throw Error(
            "there is no graph of ATen operations to run: TorchDynamo's and Inductor's own graphs are only shown");
    const std::string why =
        forms.size() < 2 ? std::string() : whyNoPair(*forms.front(), *forms.back(), record.metadata.get());
    if (!why.empty()) throw Error(why);
    return forms;
}

}  // namespace

std::string whyPrintedCannotRun(const CompileRecord& record) {
    try {
        runnableForms(record);
        return {};
    } catch (const Error& e) {
        return e.what();
    }
}

RunnableGraphs runnableGraphs(const CompileRecord& record, const std::string& device) {
    RunnableGraphs run;
    run.kinds = executedGraphs(record);
    const auto graphs = runnableForms(record);
    const RunTypes types(graphs, device);
    run.forward = prepared(*graphs.front(), types, graphs.size() < 2);
    if (graphs.size() < 2) {
        if (isSequence(record)) run.passes = runnablePasses(record, types);
        for (const RunnablePass& pass : run.passes)
            if (!run.reference && pass.graph != run.passes.back().graph) run.reference = pass.graph;
        run.differentiable.resize(run.forward->placeholders().size());
        run.tangentMask.resize(run.forward->outputs().size());
        return run;
    }
    run.backward = prepared(*graphs.back(), types, false);
    run.tangentMask = *tangentMaskOf(*run.forward, *run.backward, record.metadata.get());
    const auto inputs = run.forward->placeholders();
    for (std::size_t i = 0; i < inputs.size(); ++i)
        run.differentiable.push_back(run.backward->outputs()[i].node() && inputs[i]->type.tensor());
    const auto joint = runnableForm(record.graph(GraphKind::joint));
    if (!joint || !unknownOperations(*joint).empty()) return run;
    const bool fits = primalsOf(*joint).size() == inputs.size() &&
                      joint->forwardOutputCount() == run.tangentMask.size() &&
                      drawsAsInductor(*joint) == drawsAsInductor(*run.forward);
    if (fits) run.reference = prepared(*joint, types, false);
    return run;
}

SplitJoint splitByTangents(const Graph& joint) {
    const auto dependent = dependOnTangents(joint);
    auto forward = std::make_shared<Graph>("forward"), backward = std::make_shared<Graph>("backward");
    if (const std::string why = whyNoForward(joint); !why.empty()) throw Error(why);
    const std::size_t count = joint.forwardOutputCount();
    std::set<const Node*> saved;  // used in the backward, or returned by it
    const auto isConstant = [](const Node* node) { return node->kind() == NodeKind::constant; };
    const auto needs = [&](const Node* node) {
        if (!dependent.contains(node) && !isConstant(node)) saved.insert(node);
    };
    for (std::size_t i = 0; i < joint.outputs().size(); ++i) {
        const Node* node = joint.outputs()[i].node();
        if (i >= count && node) needs(node);
    }
    std::unordered_map<const Node*, Node*> ahead, back;
    const auto in = [](const auto& copies) { return [&](const Node* node) { return Argument(copies.at(node)); }; };
    for (const Node* node : joint.nodes()) {
        if (node->kind() == NodeKind::output) continue;
        if (!dependent.contains(node)) ahead[node] = forward->copyNode(node, in(ahead));
        else std::for_each(node->inputs().begin(), node->inputs().end(), needs);
    }
    std::vector<Argument> outputs(joint.outputs().begin(),
                                  joint.outputs().begin() + static_cast<std::ptrdiff_t>(count));
    for (Argument& output : outputs) output = mapNodes(output, in(ahead));
    std::vector<OutputSlot> slots(joint.outputSlots().begin(),
                                  joint.outputSlots().begin() + static_cast<std::ptrdiff_t>(count));
    for (const bool numbers : {true, false})
        for (const Node* node : joint.nodes()) {
            if (!saved.contains(node) || (node->type.scalar() != nullptr) != numbers) continue;
            const Role role = numbers ? Role::savedSymint : Role::saved;
            outputs.push_back(ahead.at(node));
            slots.push_back({role, node->name()});
            back[node] = backward->addPlaceholder(node->name(), node->type, role, node->label);
            backward->setIdentity(back[node], node->id());
        }
    forward->setOutput(std::move(outputs), std::move(slots));
    for (const Node* node : joint.nodes())
        if (isConstant(node) || (dependent.contains(node) && node->kind() != NodeKind::output))
            back[node] = backward->copyNode(node, in(back));
    std::vector<Argument> gradients(joint.outputs().begin() + static_cast<std::ptrdiff_t>(count),
                                    joint.outputs().end());
    for (Argument& gradient : gradients) gradient = mapNodes(gradient, in(back));
    backward->setOutput(std::move(gradients),
                        {joint.outputSlots().begin() + static_cast<std::ptrdiff_t>(count), joint.outputSlots().end()});
    return {forward, backward};
}

}  // namespace aotscope
