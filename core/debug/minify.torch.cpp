#include "debug/minify.h"

#include "aten/random_state.h"
#include "compile/compilers.h"
#include "debug/minify_condition.h"
#include "ops/op_table.h"
#include "support/elapsed.h"
#include "support/library_error.h"
#include "support/names.h"
#include "verify/check.h"
#include "verify/judge/graph_values.h"
#include "verify/printed/cut_graph.h"
#include "verify/record_example.h"

#include <algorithm>
#include <chrono>

namespace aotscope {

namespace {

using Nodes = std::vector<const Node*>;

GraphSize sizeOfGraph(const Graph& graph) {
    return {graph.callCount(), graph.placeholders().size(), graph.outputs().size()};
}

/// Plain delta debugging in fixed order: each step proposes a smaller graph, which is kept if it passes the test.
class Minifier {
public:
    Minifier(const RecordedGraph& whole, const GraphTest& test, const Progress& progress)
        : whole_(whole), test_(test), progress_(progress) {}

    SmallestGraph run(std::string found) {
        smallest_ = {whole_.graph, {}, std::move(found), 1};
        // The remaining graph has whole values as outputs.
        propose({}, returnedNodes(graph()));
        fewerOutputs();
        firstOperations();
        fewerOutputs();
        lastOperations();
        for (std::size_t before = graph().size() + 1; graph().size() < before;) {
            before = graph().size();
            fewerOperations();
            fewerOutputs();
        }
        smallest_.inputs = *inputsOf(graph());
        return std::move(smallest_);
    }

private:
    const Graph& graph() const { return *smallest_.graph; }

    /// Nothing if the recorded run did not get that far.
    std::optional<std::vector<c10::IValue>> inputsOf(const Graph& graph) const {
        std::vector<c10::IValue> inputs;
        for (const Node* input : graph.placeholders()) {
            const auto value = whole_.values.find(input->id());
            if (value == whole_.values.end()) return std::nullopt;
            inputs.push_back(value->second);
        }
        return inputs;
    }

    /// Replaces the current graph with this part of it, if that has operations and passes the test.
    bool propose(const NodeIds& given, const Nodes& outputs) {
        progress_.throwIfCancelled();
        if (outputs.empty()) return false;
        std::shared_ptr<const Graph> cut = cutGraph(graph(), given, outputs);
        if (cut->callCount() == 0) return false;
        const auto inputs = inputsOf(*cut);
        if (!inputs) return false;
        ++smallest_.tried;
        const auto found = test_(*cut, *inputs);
        if (!found) return false;
        smallest_.graph = std::move(cut);
        smallest_.found = *found;
        return true;
    }

    void announce(const char* what) const {
        progress_.enter("fewer " + std::string(what) + ": " + counted(graph().callCount(), "operation") + " after " +
                        counted(smallest_.tried, "graph"));
    }

    /// Removes half of the outputs, then quarters, and so on.
    void fewerOutputs() {
        announce("outputs");
        for (std::size_t part = std::max<std::size_t>(1, graph().outputs().size() / 2);; part /= 2) {
            for (std::size_t at = 0; at < graph().outputs().size();) {
                Nodes kept = returnedNodes(graph());
                const std::size_t first = std::min(at, kept.size()), last = std::min(at + part, kept.size());
                kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(first),
                           kept.begin() + static_cast<std::ptrdiff_t>(last));
                if (first == last || !propose({}, kept)) at += part;
            }
            if (part <= 1) return;
        }
    }

    /// Cuts off the end: returns the values of the first operations.
    void firstOperations() {
        announce("operations at the end");
        std::size_t low = 1, high = graph().callCount();
        const std::shared_ptr<const Graph> from = smallest_.graph;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            // Nodes of the original graph: a smaller one has other nodes.
            const Nodes frontier = nodesHere(frontierOf(*from, middle));
            if (!frontier.empty() && propose({}, frontier)) high = middle;
            else low = middle + 1;
        }
    }

    /// Cuts off the beginning: its values become inputs.
    void lastOperations() {
        announce("operations at the beginning");
        const Nodes calls = callsOf(graph());
        const std::shared_ptr<const Graph> from = smallest_.graph;
        std::size_t low = 0, high = calls.size();
        while (low < high) {
            const std::size_t middle = (low + high + 1) / 2;
            const Nodes first(calls.begin(), calls.begin() + static_cast<std::ptrdiff_t>(middle));
            if (propose(replaced(first), returnedNodes(graph()))) low = middle;
            else high = middle - 1;
        }
    }

    /// Replaces half of the operations by their values, then quarters, and so on.
    void fewerOperations() {
        for (std::size_t part = std::max<std::size_t>(1, graph().callCount() / 2);; part /= 2) {
            announce("operations");
            for (std::size_t at = 0; at < graph().callCount();) {
                const Nodes calls = callsOf(graph());
                const std::size_t last = std::min(at + part, calls.size());
                const Nodes chosen(calls.begin() + static_cast<std::ptrdiff_t>(at),
                                   calls.begin() + static_cast<std::ptrdiff_t>(last));
                if (!propose(replaced(chosen), returnedNodes(graph()))) at += part;
            }
            if (part <= 1) return;
        }
    }

    /// The values that replace these operations; for tuples, their elements.
    static NodeIds replaced(const Nodes& calls) {
        NodeIds given;
        for (const Node* call : calls) {
            if (isOneValue(*call)) given.insert(call->id());
            for (const Node* user : call->users())
                if (call->type.tuple() && isGetitem(*user)) given.insert(user->id());
        }
        return given;
    }

    /// The nodes of the current graph with the ids of `others`, where they exist.
    Nodes nodesHere(const Nodes& others) const {
        Nodes nodes;
        for (const Node* other : others)
            if (const Node* node = graph().findById(other->id())) nodes.push_back(node);
        return nodes;
    }

    const RecordedGraph& whole_;
    const GraphTest& test_;
    const Progress& progress_;
    SmallestGraph smallest_;
};

/// All values of one run, up to the failure if it fails.
RecordedGraph recorded(const std::shared_ptr<const Graph>& graph, const ConstantTable& constants,
                       const std::vector<c10::IValue>& inputs, std::uint64_t seed) {
    RecordedGraph whole{graph, {}};
    const auto placeholders = graph->placeholders();
    for (std::size_t i = 0; i < placeholders.size(); ++i) whole.values[placeholders[i]->id()] = inputs[i];
    const RandomStateGuard kept(seed);
    runGraph(*graph, constants, inputs, [&](const Node& node, const c10::IValue& value) {
        if (node.kind() == NodeKind::call) whole.values[node.id()] = value;
    });
    return whole;
}

const std::string& compilerNameFor(GraphKind kind, const CompilerChoice& choice) {
    return kind == GraphKind::backward    ? choice.ofBackward()
           : kind == GraphKind::inference ? choice.ofInference()
                                          : choice.forward;
}

/// If a check finds nothing, no part of a graph is wrong either.
bool isEqualToEager(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
                    const Progress& progress) {
    bool equal = false;
    failureOf([&] {  // failures are searched for, too
        equal = checkAtExample(modelRun, compilation.function, options, progress).verdict() == CheckVerdict::equal;
    });
    return equal;
}

std::vector<GraphKind> graphsToTry(const CompileRecord& record, const MinifyOptions& wanted) {
    std::vector<GraphKind> kinds;
    if (wanted.graph) kinds = {*wanted.graph};
    else kinds = executedGraphs(record);
    std::erase_if(kinds, [&](GraphKind kind) { return !record.graph(kind); });
    if (kinds.empty())
        throw Error("there is no " + (wanted.graph ? std::string(name(*wanted.graph)) + " graph" : "compiled graph") +
                    " to make smaller");
    for (const GraphKind kind : kinds)
        if (kind == GraphKind::source || kind == GraphKind::preFunctionalization)
            throw Error("the " + std::string(name(kind)) +
                        " graph changes values in place; choose functional, joint, forward, backward or inference");
    return kinds;
}

}  // namespace

SmallestGraph smallestGraph(const RecordedGraph& whole, std::string found, const GraphTest& test,
                            const Progress& progress) {
    return Minifier(whole, test, progress).run(std::move(found));
}

MinifyResult minify(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
                    const MinifyOptions& wanted, const Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    MinifyCondition condition(wanted.condition);
    const CompileRecord& record = *compilation.record;
    if (condition.checks() && isEqualToEager(modelRun, compilation, options, progress)) condition.leaveOutChecks();
    for (const GraphKind kind : graphsToTry(record, wanted)) {
        progress.enter("what the graph is called with");
        const auto graph = record.graph(kind);
        const ConstantTable& constants = compilation.constants.of(kind);
        const auto inputs = argumentsOf(*graph, kind, modelRun, compilation, options);
        if (!inputs) continue;
        const auto compiler = condition.usesCompiler()
                                  ? makeCompiler(compilerNameFor(kind, options.compilers), options.compilers)
                                  : nullptr;
        const GraphTest test = [&](const Graph& part, const std::vector<c10::IValue>& values) {
            return condition.shownBy({part, kind, constants, values}, compiler.get(), record, options);
        };
        const auto found = test(*graph, *inputs);
        if (!found) continue;
        const SmallestGraph smallest =
            smallestGraph(recorded(graph, constants, *inputs, options.seed), *found, test, progress);
        MinifyResult result{smallest.graph, kind, smallest.found, sizeOfGraph(*graph), sizeOfGraph(*smallest.graph)};
        result.tried = smallest.tried;
        const ExampleRun run = runExample(*smallest.graph, kind, smallest.inputs, compilation, options);
        result.example = exampleOf(*smallest.graph, run, options.seed, ExampleValues::all, false);
        result.ms = msSince(start);
        return result;
    }
    throw Error("no graph shows '" + wanted.condition +
                "'; choose one with --graph, or see 'aotscope run --check' for what differs from eager");
}

}  // namespace aotscope
