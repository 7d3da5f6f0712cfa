#include "debug/minify_condition.h"

#include "aten/random_state.h"
#include "aten/tensors.h"
#include "debug/measure.h"
#include "ir/output_names.h"
#include "record/results/minify_result.h"
#include "support/error.h"
#include "support/names.h"
#include "support/trimmed.h"
#include "verify/judge/comparison.h"
#include "verify/judge/graph_values.h"
#include "verify/judge/operation_judge.h"
#include "verify/printed/cut_graph.h"
#include "verify/run_io.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace aotscope {

namespace {

std::string ofNode(const Node& node) { return "%" + node.name() + " = " + node.op(); }

bool hasNaN(const Argument& argument) {
    const auto* number = std::get_if<double>(&argument.value);
    return number && std::isnan(*number);
}

}  // namespace

bool usesCompiler(const MinifyOptions& wanted) { return MinifyCondition(wanted.condition).usesCompiler(); }

MinifyCondition::MinifyCondition(const std::string& text) {
    std::size_t at = 0;
    while (at <= text.size()) {
        const auto end = std::min(text.find('|', at), text.size());
        add(std::string(trimmed(std::string_view(text).substr(at, end - at), " \t")));
        at = end + 1;
    }
}

void MinifyCondition::add(const std::string& alternative) {
    if (alternative.empty())
        throw Error(
            "expected what the graph has to show: check fails, compile fails, run fails, nan, or a query such "
            "as op:exp, with | between alternatives");
    if (alternative == "check fails") checks_ = true;
    else if (alternative == "compile fails") compiles_ = true;
    else if (alternative == "run fails") runs_ = true;
    else if (alternative == "nan") nans_ = true;
    else queries_.emplace_back(alternative, Query::parseWithValues(alternative));
}

bool MinifyCondition::readsValues() const {
    return std::ranges::any_of(queries_, [](const auto& each) { return each.second.readsValues(); });
}

std::optional<std::string> MinifyCondition::shownBy(const Subject& subject, const Compiler* compiler,
                                                    const CompileRecord& record, const Options& options) const {
    std::unordered_map<NodeId, c10::IValue> values;
    const bool watched = nans_ || readsValues();
    const RandomStateGuard kept(options.seed);
    const auto keep = [&](const Node& node, const c10::IValue& value) { values[node.id()] = value; };
    GraphRun run;
    if (runs_ || watched || usesCompiler())
        run = runGraph(subject.graph, subject.constants, subject.inputs, watched ? ValueSink(keep) : nullptr);
    if (!run.error.empty()) {
        if (runs_) return "the run fails" + (run.failed ? " at " + ofNode(*run.failed) : "") + ": " + run.error;
        return std::nullopt;
    }
    if (auto shown = shownByValues(subject, record, values)) return shown;
    return usesCompiler() ? shownByCompiler(subject, *compiler, run.outputs.size(), options) : std::nullopt;
}

std::optional<std::string> MinifyCondition::shownByValues(const Subject& subject, const CompileRecord& record,
                                                          const std::unordered_map<NodeId, c10::IValue>& values) const {
    const auto nansIn = [&](const c10::IValue& value) { return isTensor(value) ? notFiniteIn(value).nans : 0; };
    const bool finite = nans_ && std::ranges::none_of(subject.inputs, nansIn);
    std::vector<QueryFacts> facts;
    if (!queries_.empty()) facts = RecordFacts(record).of(subject.graph, subject.kind);
    if (finite)
        for (const Node* node : callsOf(subject.graph)) {
            const auto value = values.find(node->id());
            if (value == values.end() || isMeaningless(*node) || std::ranges::any_of(node->args(), hasNaN)) continue;
            if (const auto count = nansIn(value->second))
                return ofNode(*node) + " returns " + std::to_string(count) + " NaN";
        }
    for (QueryFacts& fact : facts) {
        if (fact.node->kind() != NodeKind::call) continue;
        const auto value = values.find(fact.node->id());
        const ValueFacts measured = value != values.end() && readsValues() ? factsOf(value->second) : ValueFacts();
        if (value != values.end()) fact.value = &measured;
        for (const auto& [text, query] : queries_)
            if ((fact.value || !query.readsValues()) && query.matches(fact)) return ofNode(*fact.node) + ": " + text;
        fact.value = nullptr;
    }
    return std::nullopt;
}

std::optional<std::string> MinifyCondition::shownByCompiler(const Subject& subject, const Compiler& compiler,
                                                            std::size_t count, const Options& options) const {
    std::vector<c10::IValue> found;
    try {
        const auto compiled = compiler.compile(subject.graph, subject.constants);
        std::vector<c10::IValue> arguments = copyValues(subject.inputs);
        seedRandom(options.seed);
        const at::AutoGradMode grad(true);  // as in the interpreter's run
        found = compiled->run(arguments);
    } catch (const std::exception& e) {
        if (!compiles_ && !checks_) return std::nullopt;
        return "the compiler '" + compiler.name() + "' fails: " + firstSentence(e.what());
    }
    if (!checks_) return std::nullopt;
    const std::string what = "the compiler '" + compiler.name() + "' returns ";
    if (found.size() != count) return what + counted(found.size(), "value") + " instead of " + std::to_string(count);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back(outputLabel("", i));
    const auto differences = compareResults(subject.graph, subject.constants, subject.inputs, names, found, options);
    for (std::size_t i = 0; i < count; ++i) {
        const Node* node = subject.graph.outputs()[i].node();
        if (differences[i] && !(node && isMeaningless(*node)))
            return what + "another value: " + describe(*differences[i], "the interpreter");
    }
    return std::nullopt;
}

}  // namespace aotscope
