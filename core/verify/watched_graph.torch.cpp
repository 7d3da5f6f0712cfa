#include "verify/watched_graph.h"

#include "aten/copy_tensor.h"
#include "aten/full_precision.h"
#include "aten/tensors.h"
#include "compile/built_in_compilers.h"
#include "compile/compiler.h"
#include "execute/register_map.h"
#include "ir/id_table.h"
#include "ops/op_table.h"
#include "support/library_error.h"
#include "support/progress.h"
#include "verify/judge/comparison.h"
#include "verify/judge/reference_values.h"
#include "verify/run_io.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <algorithm>
#include <unordered_set>

namespace aotscope {

namespace {

using Values = std::vector<c10::IValue>;

bool writesIntoMemory(const Graph& graph) {
    return std::ranges::any_of(graph.nodes(), [](const Node* node) {
        return node->kind() == NodeKind::call && !isGetitem(*node) && isMutating(node->op());
    });
}

/// The executed calls, in order.
std::vector<const Node*> callsIn(const Graph& graph) { return RegisterMap(graph).steps(); }

/// The nodes that hold the values of a call: itself, or the used elements of its tuple.
std::vector<const Node*> valuesOf(const Node& call) {
    if (!call.type.tuple()) return {&call};
    std::vector<const Node*> elements;
    for (const Node* user : call.users())
        if (isGetitem(*user)) elements.push_back(user);
    return elements;
}

/// Whether a step shows a value of `call`.
bool hasResultOf(const WatchedStep& step, const Node& call) {
    return std::ranges::any_of(valuesOf(call),
                               [&](const Node* value) { return std::ranges::count(step.results, value->id()) > 0; });
}

/// A copy of `graph` that also returns `shown`, and replaces `replaced` by additional inputs.
std::unique_ptr<Graph> variantOf(const Graph& graph, const std::vector<const Node*>& shown,
                                 const std::vector<const Node*>& replaced) {
    auto variant = std::make_unique<Graph>(graph.name());
    variant->setSymbols(graph.symbols());
    NodeId unused = 0;
    for (const Node* node : graph.nodes()) unused = std::max(unused, node->id() + 1);
    std::unordered_map<const Node*, Node*> copies, used;
    const auto argument = [&](Node* node) { return Argument(used.at(node)); };
    const auto copy = [&](const Node* node) {
        copies[node] = variant->copyNode(node, argument);
        used.try_emplace(node, copies[node]);
    };
    for (const Node* node : graph.placeholders()) copy(node);
    for (const Node* node : replaced) {
        used[node] = variant->addPlaceholder(node->name() + "_edited", node->type);
        variant->setIdentity(used[node], unused++);
    }
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::call || node->kind() == NodeKind::constant) copy(node);
    std::vector<Argument> outputs;
    std::vector<OutputSlot> slots = graph.outputSlots();
    slots.resize(graph.outputs().size());
    for (const Argument& value : graph.outputs()) outputs.push_back(mapNodes(value, argument));
    for (const Node* node : shown) {
        outputs.emplace_back(copies.at(node));
        slots.push_back({Role::userOutput, node->name()});
    }
    variant->setOutput(std::move(outputs), std::move(slots));
    return variant;
}

/// Records what a compiled graph shows of its nodes.
class ValueRecorder final : public StepObserver {
public:
    ValueRecorder(const Graph& graph, const CompiledGraph& compiled, bool copies)
        : compiled_(compiled), steps_(compiled.steps()), copies_(copies), nodes_(nodesById(graph)) {}

    void before(std::size_t step) override { current_ = steps_.at(step); }
    void results(std::size_t step, c10::ArrayRef<c10::IValue> values) override {
        shown_.insert(step);
        const std::vector<NodeId> named = compiled_.shownBy(step);
        for (std::size_t i = 0; i < std::min(named.size(), values.size()); ++i) keep(named[i], values[i]);
        const Node* node = nodes_.at(steps_.at(step));
        if (!named.empty() || !node) return;
        for (const Node* value : valuesOf(*node)) {
            const auto element = value == node ? 0 : static_cast<std::size_t>(*value->args()[1].integer());
            if (element < values.size()) keep(value->id(), values[element]);
        }
    }
    void after(std::size_t) override { current_ = kNoNode; }

    NodeId current() const { return current_; }
    bool sawAll() const { return shown_.size() == steps_.size(); }
    std::unordered_map<NodeId, c10::IValue> take() { return std::move(values_); }

private:
    void keep(NodeId node, const c10::IValue& value) {
        std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
        values_[node] = copies_ && isTensor(value) ? c10::IValue(copyTensor(value.toTensor(), storages)) : value;
    }

    const CompiledGraph& compiled_;
    const std::vector<NodeId>& steps_;
    bool copies_;
    NodesById nodes_;
    std::unordered_map<NodeId, c10::IValue> values_;
    std::unordered_set<std::size_t> shown_;
    NodeId current_ = kNoNode;
};

bool isEqual(const c10::IValue& a, const c10::IValue& b) { return !compareValues({}, a, b, kUnmeasurable); }

/// Output `i`, if a call computes it.
const Node* callReturned(const Graph& graph, std::size_t i) {
    const Node* node = graph.outputs()[i].node();
    return node && node->kind() == NodeKind::call ? node : nullptr;
}

}  // namespace

std::vector<NodeId> idsOf(const std::vector<const Node*>& nodes) {
    std::vector<NodeId> ids;
    for (const Node* node : nodes) ids.push_back(node->id());
    return ids;
}

WatchedGraph::WatchedGraph(std::shared_ptr<const Graph> graph, ConstantTable constants,
                           std::shared_ptr<const Compiler> compiler, std::shared_ptr<const CompiledGraph> compiled,
                           bool gradMode)
    : graph_(std::move(graph)),
      constants_(std::move(constants)),
      compiler_(std::move(compiler)),
      compiled_(std::move(compiled)),
      gradMode_(gradMode),
      writes_(writesIntoMemory(*graph_)),
      copies_(writes_ || !isBuiltInCompiler(compiler_->name())) {
    // Every step must be a call of the graph.
    std::unordered_set<NodeId> calls;
    for (const Node* call : callsIn(*graph_)) calls.insert(call->id());
    const auto& steps = compiled_->steps();
    const bool plausible = std::ranges::all_of(steps, [&](NodeId node) { return calls.erase(node) > 0; });
    if (!plausible || (steps.empty() && !calls.empty())) seen_ = Seen::asOutputs;
}

WatchedRun WatchedGraph::run(const Values& arguments, const RandomState& start, const Edits& edits) {
    const RandomStateGuard kept;
    Variant variant;
    if (const auto failure = failureOf([&] { variant = variantFor(edits); })) {
        WatchedRun refused;
        refused.error = "the graph cannot be compiled with the edited value: " + *failure;
        return refused;
    }
    const Values given = withEdits(arguments, variant, edits);
    WatchedRun whole = execute(*variant.compiled, given, start, nullptr);
    WatchedRun seen = look(variant, given, start, whole);
    if (!whole.error.empty()) return seen.error.empty() ? whole : seen;
    whole.values = std::move(seen.values);
    // Its results without an observer.
    for (std::size_t i = 0; i < variant.graph->outputs().size() && i < whole.outputs.size(); ++i)
        if (const Node* node = callReturned(*variant.graph, i); node && !writes_)
            whole.values[node->id()] = whole.outputs[i];
    whole.outputs.resize(graph_->outputs().size());
    return whole;
}

std::vector<c10::IValue> WatchedGraph::withEdits(Values arguments, const Variant& variant, const Edits& edits) const {
    const auto placeholders = graph_->placeholders();
    for (std::size_t i = 0; i < placeholders.size(); ++i)
        if (const auto edit = edits.find(placeholders[i]->id()); edit != edits.end()) arguments[i] = edit->second;
    for (const Node* node : variant.replaced) arguments.push_back(edits.at(node->id()));
    return arguments;
}

/// Observes in a way that is consistent with `whole`, an unobserved run; for a failing one, the steps before.
WatchedRun WatchedGraph::look(const Variant& variant, const Values& arguments, const RandomState& start,
                              const WatchedRun& whole) {
    WatchedRun seen;
    const auto orElse = [&](Seen other) {
        if (!decided_ && !isSame(variant, seen, whole, arguments, start)) seen_ = other;
    };
    if (seen_ == Seen::bySteps) seen = lookAtSteps(variant, arguments, start);
    if (!whole.error.empty()) return seen;
    if (seen_ == Seen::bySteps) orElse(Seen::asOutputs);
    if (seen_ == Seen::asOutputs) {
        seen = lookAtOutputs(variant, arguments, start);
        orElse(Seen::atTheEnd);
    }
    decided_ = true;
    return seen_ == Seen::atTheEnd ? WatchedRun() : seen;
}

/// Edited nodes are computed nevertheless: they may draw random numbers.
WatchedGraph::Variant WatchedGraph::variantFor(const Edits& edits) const {
    Variant variant{graph_, compiled_, {}};
    std::vector<const Node*> computed;
    for (const auto& [id, value] : edits) {
        const Node* node = graph_->findById(id);
        if (node->kind() != NodeKind::placeholder) variant.replaced.push_back(node);
        if (node->kind() == NodeKind::call) computed.push_back(node);
    }
    if (variant.replaced.empty()) return variant;
    variant.graph = variantOf(*graph_, computed, variant.replaced);
    variant.compiled = compiler_->compile(*variant.graph, constants_);
    return variant;
}

WatchedRun WatchedGraph::execute(const CompiledGraph& compiled, const Values& arguments, const RandomState& start,
                                 StepObserver* observer) const {
    WatchedRun run;
    Values own = writes_ ? copyValues(arguments) : arguments;
    start.restore();
    const FullPrecision inFull;  // so that values do not differ from eager's by TF32 errors
    const at::AutoGradMode grad(gradMode_);
    const at::AutoDispatchBelowADInplaceOrView plainKernels;
    const c10::impl::ExcludeDispatchKeyGuard noAutocast(c10::autocast_dispatch_keyset);
    const auto failure = failureOf([&] { run.outputs = compiled.run(own, observer); });
    if (failure) run.error = *failure;
    else run.after.emplace();
    return run;
}

WatchedRun WatchedGraph::lookAtSteps(const Variant& variant, const Values& arguments, const RandomState& start) const {
    ValueRecorder recorder(*variant.graph, *variant.compiled, copies_);
    WatchedRun run = execute(*variant.compiled, arguments, start, &recorder);
    run.failed = run.error.empty() ? kNoNode : recorder.current();
    if (run.error.empty() && !recorder.sawAll()) run.error = "it does not show all of its steps";
    run.values = recorder.take();
    return run;
}

WatchedRun WatchedGraph::lookAtOutputs(const Variant& variant, const Values& arguments,
                                       const RandomState& start) const {
    std::vector<const Node*> shown;
    for (const Node* call : callsIn(*variant.graph))
        for (const Node* value : valuesOf(*call))
            if (value->type.known()) shown.push_back(value);
    WatchedRun run;
    const auto failure = failureOf([&] {
        const auto all = variantOf(*variant.graph, shown, {});
        run = execute(*compiler_->compile(*all, constants_), arguments, start, nullptr);
    });
    if (failure) run.error = *failure;
    const std::size_t own = variant.graph->outputs().size();
    if (run.error.empty() && run.outputs.size() != own + shown.size())
        run.error = "it returns another number of values";
    if (!run.error.empty()) return run;
    for (std::size_t i = 0; i < shown.size(); ++i) run.values[shown[i]->id()] = run.outputs[own + i];
    run.outputs.resize(own);
    return run;
}

/// Whether the observed values of a run are consistent with its results without an observer. Values that differ in
/// every run do not count.
bool WatchedGraph::isSame(const Variant& variant, const WatchedRun& seen, const WatchedRun& whole,
                          const Values& arguments, const RandomState& start) const {
    if (!seen.error.empty() || !whole.error.empty()) return false;
    const auto outputs = variant.graph->outputs();
    if (seen.outputs.size() != whole.outputs.size() || whole.outputs.size() != outputs.size()) return false;
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Node* node = callReturned(*variant.graph, i);
        if (node && isMeaningless(*node)) continue;
        const bool shows = node && !writes_ && seen_ == Seen::bySteps;
        const auto value = shows ? seen.values.find(node->id()) : seen.values.end();
        const bool shownElse = value != seen.values.end() && !isEqual(value->second, whole.outputs[i]);
        if (shownElse || !isEqual(seen.outputs[i], whole.outputs[i])) others.push_back(i);
    }
    if (others.empty()) return true;
    const WatchedRun again = execute(*variant.compiled, arguments, start, nullptr);
    return std::ranges::all_of(others, [&](std::size_t i) {
        return i < again.outputs.size() && !isEqual(again.outputs[i], whole.outputs[i]);
    });
}

WatchedGraph watchedHalf(const Compilation& compilation, GraphKind kind) {
    const CompiledFunction& function = *compilation.function;
    const bool backward = kind == GraphKind::backward;
    return {compilation.record->graph(kind), compilation.constants.working,
            backward ? function.backends().backward : function.backends().forward,
            std::shared_ptr<const CompiledGraph>(compilation.function,
                                                 backward ? &function.backward() : &function.forward()),
            kind == GraphKind::forward};
}

std::vector<WatchedStep> WatchedGraph::steps() const {
    std::vector<WatchedStep> steps;
    switch (seen_) {
        case Seen::bySteps: steps = compiledSteps(); break;
        case Seen::asOutputs:
            for (const Node* call : callsIn(*graph_)) steps.push_back({call->id(), idsOf(valuesOf(*call)), {}});
            break;
        case Seen::atTheEnd: steps = wholeAsStep(); break;
    }
    std::unordered_map<NodeId, std::size_t> places;
    for (const Node* node : graph_->nodes()) places.emplace(node->id(), places.size());
    for (WatchedStep& step : steps) std::ranges::sort(step.results, {}, [&](NodeId node) { return places.at(node); });
    return steps;
}

std::vector<WatchedStep> WatchedGraph::compiledSteps() const {
    const std::vector<NodeId>& listed = compiled_->steps();
    const std::unordered_set<NodeId> own(listed.begin(), listed.end());
    std::unordered_map<NodeId, std::vector<NodeId>> groups;  // by the node of their step
    for (const auto& group : compiled_->groups())
        for (const NodeId node : group)
            if (own.contains(node)) groups[node] = group;
    std::vector<WatchedStep> steps;
    for (std::size_t i = 0; i < listed.size(); ++i) {
        WatchedStep step{listed[i], compiled_->shownBy(i), {}};
        if (step.results.empty()) step.results = idsOf(valuesOf(*graph_->findById(listed[i])));
        for (const NodeId node : groups[listed[i]])
            if (!own.contains(node) && !hasResultOf(step, *graph_->findById(node))) step.inside.push_back(node);
        steps.push_back(std::move(step));
    }
    return steps;
}

/// Its results are those of the graph.
std::vector<WatchedStep> WatchedGraph::wholeAsStep() const {
    const std::vector<const Node*> calls = callsIn(*graph_);
    if (calls.empty()) return {};
    WatchedStep step{calls.back()->id(), {}, {}};
    for (std::size_t i = 0; i < graph_->outputs().size(); ++i)
        if (const Node* node = callReturned(*graph_, i); node && std::ranges::count(step.results, node->id()) == 0)
            step.results.push_back(node->id());
    for (const Node* call : calls)
        if (call != calls.back() && !hasResultOf(step, *call)) step.inside.push_back(call->id());
    return {step};
}

std::string WatchedGraph::note() const {
    std::string note = compiled_->note();
    const std::string who = (note.empty() ? "" : "; ") + compiler_->name();
    switch (seen_) {
        case Seen::bySteps: break;
        case Seen::asOutputs:
            note += who + " shows no steps that fit the " + graph_->name() +
                    " graph: the values are those of the same graph, compiled once more to return all of them";
            break;
        case Seen::atTheEnd:
            note += who + " computes the " + graph_->name() +
                    " graph as one step: it shows no steps that fit, and returns other values where all are asked for";
            break;
    }
    return note;
}

}  // namespace aotscope
