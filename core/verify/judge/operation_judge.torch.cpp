#include "verify/judge/operation_judge.h"

#include "aten/random_state.h"
#include "ops/op_table.h"
#include "support/library_error.h"
#include "verify/judge/graph_values.h"
#include "verify/printed/cut_graph.h"

#include <algorithm>
#include <unordered_set>

namespace aotscope {

namespace {

/// A run with the options' seed, unaffected by other random numbers.
std::vector<c10::IValue> resultsOf(const Graph& graph, const ConstantTable& constants,
                                   const std::vector<c10::IValue>& arguments, const Options& options,
                                   const Arithmetic& arithmetic) {
    const RandomStateGuard kept(options.seed);
    const ArithmeticScope scope(arithmetic, options);
    GraphRun run = runGraph(graph, constants, argumentsFor(arithmetic, arguments), nullptr);
    if (!run.error.empty()) throw Error(run.error);
    return std::move(run.outputs);
}

NamedTensors named(const std::vector<std::string>& names, const std::vector<c10::IValue>& values) {
    NamedTensors tensors;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (isTensor(values[i])) tensors.emplace_back(names[i], values[i].toTensor());
    return tensors;
}

bool canRunAgain(const Node* node) {
    return node->kind() != NodeKind::call || (!(opTags(node->op()) & kRandom) && !isMutating(node->op()));
}

}  // namespace

std::vector<std::optional<Difference>> compareResults(const Graph& graph, const ConstantTable& constants,
                                                      const std::vector<c10::IValue>& arguments,
                                                      const std::vector<std::string>& names,
                                                      const std::vector<c10::IValue>& actual, const Options& options) {
    const auto run = [&](const Arithmetic& as) { return resultsOf(graph, constants, arguments, options, as); };
    const std::vector<c10::IValue> expected = run({});
    std::vector<std::optional<Difference>> differences(names.size());
    const auto compare = [&](const Tolerance& tolerance) {
        bool equal = true;
        for (std::size_t i = 0; i < names.size(); ++i) {
            differences[i] = compareValues(names[i], expected[i], actual[i], tolerance);
            equal = equal && !differences[i];
        }
        return equal;
    };
    if (compare({})) return differences;
    NoiseEstimate noise;
    noise.measure(
        true, [&] { return named(names, expected); }, [&](const Arithmetic& as) { return named(names, run(as)); });
    compare({&noise});
    return differences;
}

const Graph* OperationJudge::graphOf(const Node& node) const {
    for (const Graph* graph : graphs_)
        if (graph->findById(node.id()) == &node) return graph;
    return nullptr;
}

/// The values that `call` is computed from: its operands or, for operands that are never stored, theirs.
NodeIds OperationJudge::knownBefore(const Node& call) const {
    NodeIds known;
    std::unordered_set<const Node*> seen;
    std::vector<const Node*> open(call.inputs().begin(), call.inputs().end());
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        if (!seen.insert(node).second || node->kind() == NodeKind::constant) continue;
        if (values_.contains(node->id())) known.insert(node->id());
        else open.insert(open.end(), node->inputs().begin(), node->inputs().end());
    }
    return known;
}

Judgement OperationJudge::judge(const Node& node, const c10::IValue& value) {
    values_[node.id()] = value;
    const Node& call = makerOf(node);
    const Graph* graph = graphOf(node);
    if (!graph || call.kind() != NodeKind::call || isMeaningless(node)) return {};
    const NodeIds given = knownBefore(call);
    const auto operation = cutGraph(*graph, given, {&node});
    if (!std::ranges::all_of(operation->nodes(), canRunAgain)) return {};
    std::vector<c10::IValue> operands;
    for (const Node* operand : operation->placeholders()) {
        const auto known = values_.find(operand->id());
        if (known == values_.end()) return {};
        operands.push_back(known->second);
    }
    return compare(*operation, operands, "%" + node.name(), value);
}

Judgement OperationJudge::compare(const Graph& operation, const std::vector<c10::IValue>& operands,
                                  const std::string& what, const c10::IValue& value) const {
    Judgement judgement;
    failureOf([&] {
        auto difference = compareResults(operation, constants_, operands, {what}, {value}, options_).front();
        judgement = {difference ? Verdict::bad : Verdict::good, std::move(difference)};
    });
    return judgement;
}

}  // namespace aotscope
