#include "verify/pass_values.h"

#include "aten/random_state.h"
#include "ir/output_names.h"
#include "load/printed/syntax/roles.h"
#include "support/error.h"
#include "verify/judge/comparison.h"
#include "verify/judge/graph_values.h"
#include "verify/judge/random_rules.h"
#include "verify/watched_graph.h"

#include <algorithm>

namespace aotscope {

namespace {

using Values = std::vector<c10::IValue>;

/// For a slot that is not an output of the user.
std::string whatOf(const OutputSlot& slot) {
    switch (slot.role) {
        case Role::mutatedInput: return inputText(slot.label);
        case Role::gradient: return gradientText(slot.label);
        case Role::intermediateBase: return "intermediate " + slot.label;
        default: return slot.label;
    }
}

/// A gradient of zeros and no gradient count as equal.
std::optional<Difference> compareGradients(const std::string& what, const c10::IValue& expected,
                                           const c10::IValue& actual, const Tolerance& tolerance) {
    if (isTensor(expected) == isTensor(actual)) return compareValues(what, expected, actual, tolerance);
    const at::Tensor present = (isTensor(expected) ? expected : actual).toTensor();
    return present.count_nonzero().item<int64_t>() == 0 ? std::nullopt : compareValues(what, expected, actual);
}

ValueSink judging(const Visit& visit, JudgedRun& run) {
    if (!visit) return nullptr;
    return
        [&visit, &run](const Node& node, const c10::IValue& value) { run.judgements[node.id()] = visit(node, value); };
}

void note(std::optional<Difference> difference, PassValues& e) {
    if (difference) e.differences.push_back(std::move(*difference));
}

void noteFailure(const std::string& error, PassValues& e) {
    Difference d;
    d.kind = Difference::Kind::presence;
    d.what = "the run";
    d.expected = "no error";
    d.actual = error;
    e.differences.push_back(std::move(d));
}

/// Saved values are judged where the backward takes them.
void addWrongSaved(const JudgedRun& backward, const std::vector<std::size_t>& savedOutputs, JudgedRun& forward) {
    const auto placeholders = backward.graph->placeholders();
    for (std::size_t i = 0; i < savedOutputs.size(); ++i) {
        const auto it = backward.judgements.find(placeholders[i]->id());
        if (it != backward.judgements.end() && it->second.verdict == Verdict::bad)
            forward.badOutputs.push_back(savedOutputs[i]);
    }
}

/// Adds outputs that were judged wrong: those of graphs within a compiled function are otherwise not observed.
void addWrongOutputs(JudgedRun& run) {
    for (std::size_t i = 0; i < run.graph->outputs().size(); ++i) {
        const Node* node = run.graph->outputs()[i].node();
        const auto it = node ? run.judgements.find(node->id()) : run.judgements.end();
        if (it != run.judgements.end() && it->second.verdict == Verdict::bad) run.badOutputs.push_back(i);
    }
}

}  // namespace

PassRunner::PassRunner(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
                       SymbolValues sizes)
    : modelRun_(modelRun),
      compilation_(compilation),
      options_(options),
      sizes_(std::move(sizes)),
      function_(modelRun.at(sizes_)),
      eager_(recordRunIO(modelRun, options, sizes_,
                         [&](const auto& leaves) {
                             const RandomRules sameNumbers(options, /*always=*/true);
                             return function_(leaves).leaves;
                         })),
      leaves_(copyValues(modelRun.arguments(/*ownState=*/true, sizes_).leaves)),
      called_(graphArguments(modelRun, compilation, options, sizes_)) {
    if (!called_.whyMadeUp.empty())
        notes_.push_back("gradients are compared between passes only: " + called_.whyMadeUp);
}

void PassRunner::measureNoise() {
    const auto named = [this](const RunIO& values) {
        const auto& names = function_.leafNames();
        NamedTensors all;
        const auto add = [&](const std::string& what, const c10::IValue& value) {
            if (isTensor(value)) all.emplace_back(what, value.toTensor());
        };
        for (std::size_t i = 0; i < values.outputs.size(); ++i) add(outputText(metadata(), i), values.outputs[i]);
        for (std::size_t i = 0; i < values.inputs.size(); ++i) add(inputText(names[i]), values.inputs[i]);
        for (std::size_t i = 0; i < values.gradients.size(); ++i) add(gradientText(names[i]), values.gradients[i]);
        return all;
    };
    const auto observed = [&](const Callable& function, const Arithmetic& as) {
        return named(recordRunIO(modelRun_, options_, sizes_, function, as));
    };
    const Callable program = [this](const Values& leaves) { return function_(leaves).leaves; };
    noise_.emplace();
    aotscope::measureNoise(
        *noise_, observed, program, [&] { return named(eager_); }, *compilation_.function);
}

PassValues PassRunner::run(const PassRecord& pass, const Returned& before, const Visit& visit) {
    PassValues e = runOnce(pass, before, visit, {});
    if (e.differences.empty() || noise_) return e;
    measureNoise();
    return runOnce(pass, before, visit, {});
}

NamedTensors PassRunner::values(const PassRecord& pass, const Arithmetic& arithmetic) const {
    NamedTensors values;
    runOnce(
        pass, {},
        [&](const Node& node, const c10::IValue& value) {
            if (isTensor(value)) values.emplace_back(SnapshotValues::noiseName(node), value.toTensor().clone());
            return Judgement();
        },
        arithmetic);
    return values;
}

/// Runs the graph of `judged` in isolation. Random numbers are those of the decomposed graph, for every pass.
GraphRun PassRunner::runOne(const ConstantTable& constants, const Values& arguments, const Visit& visit,
                            JudgedRun& judged, PassValues& e) const {
    const ArithmeticScope scope(e.arithmetic, options_);
    std::optional<RandomRules> sameNumbers;
    if (e.arithmetic.kind == Arithmetic::Kind::own) sameNumbers.emplace(options_, /*always=*/true);
    GraphRun run = runGraph(*judged.graph, constants, argumentsFor(e.arithmetic, arguments), judging(visit, judged));
    judged.failed = run.failed;
    judged.error = run.error;
    if (!run.error.empty()) noteFailure(run.error, e);
    return run;
}

PassValues PassRunner::runOnce(const PassRecord& pass, const Returned& before, const Visit& visit,
                               const Arithmetic& arithmetic) const {
    PassValues e;
    e.arithmetic = arithmetic;
    for (const auto& [kind, graph] : pass.graphs) {
        e.runs.emplace_back();
        e.runs.back().graph = graph.get();
    }
    const Returned comparable = pass.lineage == MatchBy::id ? before : Returned{};
    if (pass.id == PassId::compile) runCompiled(pass, visit, e);
    else if (pass.graphs.size() == 2) runHalves(pass, comparable, visit, e);
    else if (pass.graphs.front().first == GraphKind::preFunctionalization) runAsWritten(visit, e);
    else runWhole(pass, comparable, visit, e);
    return e;
}

void PassRunner::runAsWritten(const Visit& visit, PassValues& e) const {
    seedRandom(options_.seed);
    const GraphRun run = runOne(compilation_.constants.preFunctionalization, leaves_, visit, e.runs[0], e);
    if (!run.error.empty()) return;
    for (std::size_t i = 0; i < run.outputs.size(); ++i)
        if (auto difference = compareValues(outputText(metadata(), i), eager_.outputs[i], run.outputs[i], results())) {
            e.runs[0].badOutputs.push_back(i);
            e.differences.push_back(std::move(*difference));
        }
    for (std::size_t i = 0; i < leaves_.size(); ++i)
        note(compareValues(inputText(function_.leafNames()[i]), eager_.inputs[i], run.arguments[firstThatIs(i)],
                           results()),
             e);
}

/// The original graph has a placeholder for each argument, but uses only the first of duplicates.
std::size_t PassRunner::firstThatIs(std::size_t leaf) const {
    const auto& leaves = function_.exampleLeaves();
    for (std::size_t i = 0; i < leaf; ++i)
        if (isTensor(leaves[i]) && isTensor(leaves[leaf]) && leaves[i].toTensor().is_same(leaves[leaf].toTensor()))
            return i;
    return leaf;
}

/// A functional, inference or joint graph.
void PassRunner::runWhole(const PassRecord& pass, const Returned& before, const Visit& visit, PassValues& e) const {
    const auto& [kind, graph] = pass.graphs.front();
    Values arguments = called_.primals;
    if (kind == GraphKind::joint) arguments.insert(arguments.end(), called_.tangents.begin(), called_.tangents.end());
    e.evaluated = arguments.size() == graph->placeholders().size();
    if (!e.evaluated) return;
    seedRandom(options_.seed);
    const GraphRun run = runOne(compilation_.constants.of(kind), arguments, visit, e.runs[0], e);
    if (!run.error.empty()) return;
    e.returned = {run.outputs, graph->outputSlots()};
    compareReturned(before, e, [&](std::size_t i) { e.runs[0].badOutputs.push_back(i); });
    compareWritten(*graph, run.arguments, e);
}

void PassRunner::runHalves(const PassRecord& pass, const Returned& before, const Visit& visit, PassValues& e) const {
    const Graph &forward = *pass.graphs[0].second, &backward = *pass.graphs[1].second;
    const ConstantTable& constants = compilation_.constants.working;
    seedRandom(options_.seed);
    const GraphRun ahead = runOne(constants, called_.primals, visit, e.runs[0], e);
    if (!ahead.error.empty()) return;
    Values arguments;
    const std::vector<std::size_t> saved = savedOutputs(forward);
    const auto& slots = forward.outputSlots();
    for (const std::size_t i : saved) arguments.push_back(ahead.outputs[i]);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (isSavedRole(slots[i].role)) continue;
        e.returned.values.push_back(ahead.outputs[i]);
        e.returned.slots.push_back(slots[i]);
    }
    const std::size_t returns = e.returned.values.size();
    arguments.insert(arguments.end(), called_.tangents.begin(), called_.tangents.end());
    const GraphRun back = runOne(constants, arguments, visit, e.runs[1], e);
    addWrongSaved(e.runs[1], saved, e.runs[0]);
    if (!back.error.empty()) return;
    e.returned.values.insert(e.returned.values.end(), back.outputs.begin(), back.outputs.end());
    e.returned.slots.insert(e.returned.slots.end(), backward.outputSlots().begin(), backward.outputSlots().end());
    compareReturned(before, e, [&](std::size_t i) {
        if (i < returns) e.runs[0].badOutputs.push_back(i);
        else e.runs[1].badOutputs.push_back(i - returns);
    });
    compareWritten(forward, ahead.arguments, e);
}

/// The compiled function itself, including the wrapper around its graphs.
void PassRunner::runCompiled(const PassRecord& pass, const Visit& visit, PassValues& e) const {
    const CompiledFunction& function = *compilation_.function;
    if (visit) lookInside(pass, visit, e);
    RunIO values;
    try {
        values =
            recordRunIO(modelRun_, options_, sizes_, [&](const Values& leaves) { return function.run(leaves, {}); });
    } catch (const std::exception& error) {
        return noteFailure(firstSentence(error.what()), e);
    }
    const auto& names = function_.leafNames();
    for (std::size_t i = 0; i < eager_.outputs.size(); ++i)
        note(compareValues(outputText(metadata(), i), eager_.outputs[i], values.outputs.at(i), results()), e);
    for (std::size_t i = 0; i < names.size(); ++i) {
        note(compareValues(inputText(names[i]), eager_.inputs[i], values.inputs[i], results()), e);
        note(compareGradients(gradientText(names[i]), eager_.gradients[i], values.gradients[i], results()), e);
    }
}

/// The values of its graphs, as far as their compilers expose them.
void PassRunner::lookInside(const PassRecord& pass, const Visit& visit, PassValues& e) const {
    Values arguments = called_.primals;
    seedRandom(options_.seed);
    RandomState random;
    for (std::size_t i = 0; i < pass.graphs.size(); ++i) {
        JudgedRun& judged = e.runs[i];
        const WatchedRun run = watchedHalf(compilation_, pass.graphs[i].first).run(arguments, random);
        const auto placeholders = judged.graph->placeholders();
        for (std::size_t k = 0; k < placeholders.size(); ++k)
            judged.judgements[placeholders[k]->id()] = visit(*placeholders[k], arguments.at(k));
        for (const Node* node : judged.graph->nodes())
            if (const auto value = run.values.find(node->id()); value != run.values.end())
                judged.judgements[node->id()] = visit(*node, value->second);
        judged.failed = run.failed == kNoNode ? nullptr : judged.graph->findById(run.failed);
        judged.error = run.error;
        addWrongOutputs(judged);
        if (!run.error.empty()) return;
        random = *run.after;
        arguments.clear();
        for (const std::size_t k : savedOutputs(*judged.graph)) arguments.push_back(run.outputs[k]);
        arguments.insert(arguments.end(), called_.tangents.begin(), called_.tangents.end());
    }
}

/// Compares with eager where possible, and everything with the previous pass.
void PassRunner::compareReturned(const Returned& before, PassValues& e,
                                 const std::function<void(std::size_t)>& bad) const {
    const auto& [values, slots] = e.returned;
    std::size_t output = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool ofUser = slots[i].role == Role::userOutput;
        const std::string what = ofUser ? outputText(metadata(), output) : whatOf(slots[i]);
        const auto leaf = leafOf(slots[i].label);
        std::optional<Difference> difference;
        if (ofUser) difference = compareValues(what, eager_.outputs.at(output++), values[i], results());
        else if (leaf && slots[i].role == Role::mutatedInput)
            difference = compareValues(what, eager_.inputs[*leaf], values[i], results());
        else if (leaf && slots[i].role == Role::gradient && ownsGradient(*leaf))
            difference = compareGradients(what, eager_.gradients[*leaf], values[i], results());
        if (!difference && before.values.size() == values.size())
            difference = compareGradients(what, before.values[i], values[i], sinceBefore(what));
        if (!difference) continue;
        bad(i);
        e.differences.push_back(std::move(*difference));
    }
}

/// Compares inputs that the graph itself writes.
void PassRunner::compareWritten(const Graph& graph, const Values& after, PassValues& e) const {
    const auto placeholders = graph.placeholders();
    for (std::size_t i = 0; i < after.size(); ++i) {
        const auto leaf = leafOf(placeholders[i]->label);
        if (!leaf || placeholders[i]->role == Role::tangent) continue;
        if (metadata().inputs[*leaf].mutation == MutationType::inGraph)
            note(compareValues(inputText(placeholders[i]->label), eager_.inputs[*leaf], after[i], results()), e);
    }
}

std::optional<std::size_t> PassRunner::leafOf(const std::string& name) const {
    const auto& names = function_.leafNames();
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end() || names.size() != metadata().inputs.size()) return std::nullopt;
    return static_cast<std::size_t>(it - names.begin());
}

/// Whether eager has a gradient of the input, and everything that flows back to it goes through the graph: not through
/// another input that shares its memory, or an output regenerated from it.
bool PassRunner::ownsGradient(std::size_t leaf) const {
    if (!called_.whyMadeUp.empty()) return false;
    for (const OutputInfo& output : metadata().outputs)
        if (output.aliasesInput() && output.requiresGrad && output.base == leaf) return false;
    const auto& leaves = function_.exampleLeaves();
    if (!isTensor(leaves[leaf]) || !leaves[leaf].toTensor().requires_grad()) return false;
    for (std::size_t i = 0; i < leaves.size(); ++i)
        if (i != leaf && isTensor(leaves[i]) && leaves[i].toTensor().requires_grad() &&
            leaves[i].toTensor().is_alias_of(leaves[leaf].toTensor()))
            return false;
    return true;
}

}  // namespace aotscope
