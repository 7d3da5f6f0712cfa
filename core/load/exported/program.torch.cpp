#include "load/exported/program.h"

#include "device/device.h"
#include "load/exported/containers.h"
#include "load/exported/graph.h"
#include "load/exported/kernels.h"
#include "program/files/declared_types.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

namespace aotscope {

namespace {

using exported::Document;
using InputKind = exported::InputSpec::Kind;

bool isUserInput(InputKind kind) { return kind == InputKind::user || kind == InputKind::userConstant; }

struct InputConstantMaker {
    c10::IValue operator()(std::int64_t v) const { return v; }
    c10::IValue operator()(double v) const { return v; }
    c10::IValue operator()(bool v) const { return v; }
    c10::IValue operator()(const std::string& v) const { return v; }
    c10::IValue operator()(std::monostate) const { return {}; }
    template <typename Other>
    c10::IValue operator()(const Other&) const {
        throw Error("an input of the exported program is a constant of an unknown kind; export the model again");
    }
};

c10::IValue constantValue(const exported::Argument& argument) {
    return std::visit(InputConstantMaker{}, argument.value);
}

c10::TypePtr leafType(const exported::InputSpec& spec, const exported::Graph& graph) {
    if (spec.kind == InputKind::userConstant) return constantValue(spec.value).type();
    const auto* reference = spec.value.reference();
    if (reference && graph.tensors.contains(reference->name)) return c10::TensorType::get();
    return c10::AnyType::get();
}

/// The values of the constants of the graph.
ConstantTable literals(const Document& document, const ExportedWeights& weights, c10::Device device) {
    // A simulated device has no memory: tracing moves them.
    const bool moves = whyDeviceCannotRun(device.str()).empty();
    ConstantTable table;
    for (std::size_t i = 0; i < document.inputs.size(); ++i)
        if (const auto& literal = weights.literals()[i])
            table[document.inputs[i].target] = moves ? literal->to(device) : *literal;
    return table;
}

/// The graph for display: its operations as written.
std::shared_ptr<const Graph> sourceGraph(const Graph& graph) {
    std::shared_ptr<Graph> copy = graph.clone();
    for (Node* node : copy->nodes()) {
        if (node->type.tuple()) node->type = {};
        std::vector<Argument> args = node->args();
        bool changed = false;
        for (Argument& argument : args)
            if (const auto* subgraph = argument.subgraph()) argument = sourceGraph(**subgraph), changed = true;
        if (changed) copy->setArguments(node, std::move(args), node->kwargs());
    }
    copy->eraseIf([](const Node* node) {  // begin and end of regions
        return node->kind() == NodeKind::call && node->op().starts_with("region.");
    });
    return copy;
}

}  // namespace

struct ExportedProgram::Parts {
    ForeignOperators foreign;
    ExportedGraph graph;
    Plan plan;
    std::vector<Structure> inputStructures;
    Structure callStructure, outputStructure;           ///< (args, kwargs), and the results
    std::vector<std::optional<c10::IValue>> constants;  ///< by user input: its value at export
    std::vector<std::string> leafNames;

    Parts(const Document& document, ForeignOperators operators)
        : foreign(std::move(operators)),
          callStructure(readStructure(document.inputStructure, document.namedTuples, "the structure of the inputs")),
          outputStructure(
              readStructure(document.outputStructure, document.namedTuples, "the structure of the outputs")) {
        for (const auto& input : document.inputs) {
            if (!isUserInput(input.kind)) continue;
            constants.emplace_back();
            if (input.kind == InputKind::userConstant) constants.back() = constantValue(input.value);
        }
        if (leafCount(callStructure) != constants.size())
            throw Error("the structure of the inputs has " + std::to_string(leafCount(callStructure)) +
                        " leaves, the program takes " + counted(constants.size(), "input") + "; save the model again");
        const auto returned = static_cast<std::size_t>(
            std::ranges::count(document.outputs, exported::OutputSpec::Kind::user, &exported::OutputSpec::kind));
        if (leafCount(outputStructure) != returned)
            throw Error("the structure of the outputs has " + std::to_string(leafCount(outputStructure)) +
                        " leaves, the program returns " + counted(returned, "output") + "; save the model again");
        const auto& parts = callStructure.children;
        if (callStructure.kind != Structure::Kind::tuple || parts.size() != 2 ||
            parts[0].kind != Structure::Kind::tuple || parts[1].kind != Structure::Kind::dict)
            throw Error(
                "the structure of the inputs is not that of positional and keyword arguments; save the model again");
        for (const auto& part : parts)
            inputStructures.insert(inputStructures.end(), part.children.begin(), part.children.end());
    }

    std::vector<std::string> inputNames(const Document& document) const {
        std::vector<std::string> names;
        const std::size_t positional = callStructure.children[0].children.size();
        for (std::size_t i = 0; i < positional; ++i)
            names.push_back(i < document.argumentNames.size() ? document.argumentNames[i] : "arg" + std::to_string(i));
        for (const auto& key : callStructure.children[1].keys) names.push_back(dictKeyText(key));
        return names;
    }

    /// An input may be omitted if all its leaves have fixed values.
    std::optional<c10::IValue> defaultOf(std::size_t input, std::size_t firstLeaf) const {
        std::vector<c10::IValue> leaves;
        for (std::size_t i = 0; i < leafCount(inputStructures[input]); ++i) {
            if (!constants[firstLeaf + i]) return std::nullopt;
            leaves.push_back(*constants[firstLeaf + i]);
        }
        std::size_t next = 0;
        return unflatten(inputStructures[input], leaves, next);
    }

    /// Numbers and strings are fixed in an exported program.
    void requireConstant(std::size_t leaf, const c10::IValue& given) const {
        if (!constants[leaf]) return;
        const c10::IValue& expected = *constants[leaf];
        if (given.tagKind() == expected.tagKind() && given == expected) return;
        throw Error("input " + inQuotes(leafNames[leaf]) + " was " + c10::str(expected) +
                    " when the program was exported and is part of it; " + c10::str(given) +
                    " is given: export the model again with that value");
    }
};

ExportedProgram::ExportedProgram(const Document& document, std::unique_ptr<const ExportedWeights> weights,
                                 ForeignOperators foreign, c10::Device device)
    : weights_(std::move(weights)) {
    auto parts = std::make_unique<Parts>(document, std::move(foreign));
    state_ = weights_->state();
    std::vector<c10::TypePtr> types;
    for (const auto& input : document.inputs)
        if (isUserInput(input.kind)) types.push_back(leafType(input, document.graph));
    std::size_t leaf = 0;
    const auto names = parts->inputNames(document);
    for (std::size_t i = 0; i < parts->inputStructures.size(); ++i) {
        const auto defaultValue = parts->defaultOf(i, leaf);
        for (auto& name : parts->inputStructures[i].leafNames(names[i])) parts->leafNames.push_back(std::move(name));
        inputs_.push_back({names[i], typeOfStructure(parts->inputStructures[i], types, leaf), defaultValue});
    }
    parts->graph =
        graphOf(document, {state_, weights_->stateOfInput(), parts->leafNames, parts->outputStructure.placeNames()},
                parts->foreign, device);
    parts->plan = makePlan(*parts->graph.graph, literals(document, *weights_, device),
                           rulesOf(parts->graph, parts->foreign, device));
    locations_ = parts->plan.locations;
    source_ = sourceGraph(*parts->graph.graph);
    for (const auto& name : parts->foreign.opaque())
        unknownOperators_.push_back(whatIsUnknown(name, document.asWritten));
    parts_ = std::move(parts);
}

ExportedProgram::~ExportedProgram() = default;

const std::vector<std::string>& ExportedProgram::warnings() const { return parts_->graph.warnings; }

std::string ExportedProgram::whyNotRun() const {
    const auto opaque = parts_->foreign.opaque();
    if (opaque.empty()) return {};
    return "the model calls the operator '" + opaque.front() +
           "', which has no kernel here; load the library that has it with --library, or define it with --define";
}

const Structure& ExportedProgram::structureOfInput(std::size_t i) const { return parts_->inputStructures.at(i); }

std::vector<c10::IValue> ExportedProgram::inputsOfCall(const c10::IValue& argsAndKwargs) const {
    std::vector<c10::IValue> leaves, inputs;
    collectLeaves(parts_->callStructure, argsAndKwargs, "the saved call", leaves);
    std::size_t next = 0;
    for (const auto& structure : parts_->inputStructures) inputs.push_back(unflatten(structure, leaves, next));
    return inputs;
}

c10::IValue ExportedProgram::call(const std::vector<c10::IValue>& state, const std::vector<c10::IValue>& inputs,
                                  LocationSink* sink) const {
    const Parts& parts = *parts_;
    std::vector<c10::IValue> leaves;
    for (std::size_t i = 0; i < parts.inputStructures.size(); ++i)
        collectLeaves(parts.inputStructures[i], inputs.at(i), inputs_[i].name, leaves);
    std::vector<c10::IValue> values;
    for (const ExportedGraph::Input& input : parts.graph.inputs) {
        if (!input.state) parts.requireConstant(input.leaf, leaves.at(input.leaf));
        values.push_back(input.state ? state.at(*input.state) : leaves[input.leaf]);
    }
    const GivenRulesScope rules(parts.foreign.rules());
    const RecordedSizes sizes(parts.graph.symbols, leaves);
    const std::vector<c10::IValue> given = values;
    if (sink) sink->leave();
    for (const std::size_t input : parts.graph.cloned) values[input] = values[input].toTensor().clone();
    const std::vector<c10::IValue> outputs = runPlan(parts.plan, values, nullptr, sink);
    if (sink) sink->leave();
    std::vector<c10::IValue> results;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const ExportedGraph::Output& output = parts.graph.outputs[i];
        if (output.returned) results.push_back(outputs[i]);
        else if (output.target) copyInto(given[*output.target].toTensor(), outputs[i].toTensor());
    }
    std::size_t next = 0;
    return unflatten(parts.outputStructure, results, next);
}

}  // namespace aotscope
