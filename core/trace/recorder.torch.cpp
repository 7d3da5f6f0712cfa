#include "trace/recorder.h"

#include "aten/convert.h"
#include "aten/fake_tensor.h"
#include "aten/functional_form.h"
#include "aten/tensors.h"
#include "ops/before_autograd/rules.h"
#include "ops/decompositions/given_rules.h"
#include "ops/defined_operators.h"
#include "support/budget.h"
#include "support/error.h"
#include "trace/cross_check.h"
#include "trace/fake_inputs.h"
#include "trace/first_step.h"
#include "trace/idle_dropouts.h"
#include "trace/number_operands.h"
#include "trace/subgraph_trace.h"
#include "trace/views/view_calls.h"

#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/InferSize.h>
#include <ATen/TensorUtils.h>

namespace aotscope {

namespace {

using Stack = torch::jit::Stack;

/// Whether `args` contain tensors, all of which are ordinary ones.
bool onlyConstants(c10::ArrayRef<c10::IValue> args) {
    bool any = false, fake = false;
    for (const auto& a : args)
        forEachTensor(a, [&](const at::Tensor& t) {
            any = true;
            fake = fake || asFake(t);
        });
    return any && !fake;
}

/// Throws Error if an operation on constants would process more elements than the budget has time for: expanded views
/// have any number of elements, and a kernel cannot be stopped.
void requireAffordable(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) {
    const ForeignRun* run = ForeignRun::current();
    if (!run) return;
    double elements = 0;
    for (const auto& a : args)
        forEachTensor(a, [&](const at::Tensor& t) { elements += static_cast<double>(t.numel()); });
    const auto& returns = op.schema().returns();
    const bool isView = !returns.empty() && returns[0].alias_info() && !returns[0].alias_info()->isWrite();
    if (elements > run->mostElements() && !isView)
        throw Error("'" + graphName(op.operator_name()) + "' of constants with " +
                    std::to_string(static_cast<std::int64_t>(elements)) +
                    " elements would have to run while tracing; if the model needs that, raise --time-limit (Run > "
                    "Limits)");
}

/// Whether `op` keeps the value of a constant: torch.tensor(2.0) is a literal, copied and detached.
bool lifts(const c10::OperatorHandle& op) {
    const std::string& name = op.operator_name().name;
    return name == "aten::lift_fresh_copy" || name == "aten::detach" || name == "aten::detach_";
}

/// A write to an input at the end of a retraced graph: later uses of the input mean its old value.
void takeWrite(Node* node, Stack& stack, std::size_t arguments) {
    node->type = node->args()[0].node()->type;
    const c10::IValue input = stack[stack.size() - arguments];
    stack.resize(stack.size() - arguments);
    stack.push_back(input);
}

}  // namespace

Recorder::Recorder(std::string graphName, LocationSink& location, DataDependentValues* dataValues)
    : graph_(std::move(graphName)),
      location_(location),
      provenance_(location),
      dataValues_(dataValues),
      dialect_(dataValues ? dataValues->dialect() : Dialect::python),
      rules_(dataValues ? dialect_ : Dialect::libtorch),
      data_(dataValues),
      crossCheck_(dataValues ? dataValues->crossCheck() : nullptr),
      evaluator_(crossCheck_) {
    if (dataValues) constantsOn_ = dataValues->assumedDevice();
    if (crossCheck_) crossCheck_->beginTrace();
}

Recorder::Recorder(std::string graphName, LocationSink& location, const Recorder& owner)
    : graph_(std::move(graphName), &owner.graph_),
      location_(location),
      provenance_(location),
      dataValues_(nullptr),
      dialect_(owner.dialect_),
      rules_(owner.rules_),
      nested_(true),
      data_(nullptr),
      crossCheck_(nullptr),
      evaluator_(nullptr) {
    decomposer_.setTable(owner.decomposer_.table());
    constantsOn_ = owner.constantsOn_;
}

Recorder::Recorder(std::string graphName, LocationSink& location, Dialect dialect)
    : graph_(std::move(graphName)),
      location_(location),
      provenance_(location),
      dataValues_(nullptr),
      dialect_(dialect),
      rules_(dialect),
      nested_(true),
      data_(nullptr),
      crossCheck_(nullptr),
      evaluator_(nullptr) {}

Node* Recorder::addPlaceholder(std::string_view name, const at::Tensor& fake, Role role, std::string label) {
    if (crossCheck_) crossCheck_->bindInput(fake, label);
    Node* node = graph_.addPlaceholder(name, fake, role, std::move(label));
    node->stage = provenance_.stage();
    return node;
}

void Recorder::noteWrapper(const at::Tensor& wrapper) {
    if (Node* node = provenance_.noteWrapper(wrapper, graph_)) node->autograd.savedOutput = savedOutput();
}

void Recorder::noteOutputs(const std::vector<c10::IValue>& outputs) {
    for (const auto& output : outputs) forEachTensor(output, [this](const at::Tensor& t) { noteWrapper(t); });
}

Trace Recorder::finish(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots) {
    return traceOf(graph_.finish(outputs, std::move(slots)));
}

Trace Recorder::snapshot(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots) {
    return traceOf(graph_.snapshot(outputs, std::move(slots)));
}

bool Recorder::isPlain() const {
    return !crossCheck_ && !decomposer_.table() && subgraphNames_.empty() && data_.readings().empty();
}

Trace Recorder::traceOf(std::unique_ptr<Graph> graph) const {
    Trace trace;
    trace.graph = std::move(graph);
    trace.constants = graph_.constants();
    trace.fallbacks = evaluator_.fallbacks();
    for (const auto& [op, count] : nestedFallbacks_) trace.fallbacks[op] += count;
    trace.readings = data_.readings();
    trace.rewrites = decomposer_.rewrites();
    return trace;
}

bool Recorder::intercept(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack& stack) {
    makeOptionalLists(op, stack);
    for (const c10::IValue& value : torch::jit::last(stack, op.schema().arguments().size()))
        forEachTensor(value, [this](const at::Tensor& t) {
            refuseCutView(t);
            noteWrapper(t);
        });
    if (nested_ && takeNumber(op, stack)) return true;
    if (runFirstStepApart(op, stack, dialect_, !nested_)) return true;
    resolveLazyBits(op, stack);
    const auto view = viewOutOfPlace(op);
    if (view) refuseWritingBeside(op, stack);
    if (takesOverloadOfPython(op, stack) || layOutAsWritten(op, stack)) return true;
    if (copyDropout(op, stack) || runGivenRule(op, stack)) return true;
    const auto rule = findBeforeAutograd(op.operator_name(), rules_);
    if ((rule && rule(stack)) || detachesNothing(op, stack) || noteView(op, view, keys, stack)) return true;
    makeFunctionalizable(op);
    return false;
}

bool Recorder::takeNumber(const c10::OperatorHandle& op, Stack& stack) {
    static const c10::OperatorName item("aten::item", ""), scalar("aten::_local_scalar_dense", "");
    const auto args = torch::jit::last(stack, op.schema().arguments().size());
    for (std::size_t i = 0; i < args.size(); ++i)
        if (isTensor(args[i]) && op.schema().arguments()[i].type()->kind() == c10::TypeKind::NumberType)
            throw Error("'" + graphName(op.operator_name()) +
                        "' takes a number that a graph reads from a tensor which an operator such as cond runs; pass "
                        "the tensor itself, or read it outside of that graph");
    if (op.operator_name() != item && op.operator_name() != scalar) return false;
    const at::Tensor tensor = stack.back().toTensor(), fake = unwrapFunctional(tensor).toTensor();
    if (!asFake(fake) || fake.numel() != 1 || fake.is_complex()) return false;
    at::Tensor number = graph_.addNumber(fake);
    provenance_.annotate(graph_.nodeOf(number));
    if (at::functionalization::impl::isFunctionalTensor(tensor)) number = wrapFunctional(number, false, true);
    number.unsafeGetTensorImpl()->set_wrapped_number(true);
    stack.back() = number;
    return true;
}

bool Recorder::copyDropout(const c10::OperatorHandle& op, Stack& stack) {
    if (!dataValues_ || dialect_ != Dialect::python || !isIdleDropout(op, stack)) return false;
    MemoryWatch& memory = dataValues_->memory();
    const std::size_t step = location_.step();
    if (asWritten_) memory.watch(step, torch::jit::peek(stack, 0, 3).toTensor());
    if (asWritten_ || memory.shows(step)) return false;
    copyIdleDropout(stack);
    return true;
}

bool Recorder::takesOverloadOfPython(const c10::OperatorHandle& op, Stack& stack) {
    const bool own = provenance_.stage() == Stage::forward && location_.step() != stepSeen_;
    return own && dataValues_ && dialect_ == Dialect::python && location_.isTorchScript() &&
           callWithTensorOperand(op, stack);
}

bool Recorder::layOutAsWritten(const c10::OperatorHandle& op, Stack& stack) {
    if (!dataValues_ || provenance_.stage() == Stage::backward || location_.step() == stepSeen_) return false;
    stepSeen_ = location_.step();
    if (!asWritten_)
        return (dataValues_->memory().shows(stepSeen_) && dataValues_->layoutCopies().copy(stepSeen_, op, stack)) ||
               dataValues_->writtenWindows().view(stepSeen_, op, stack);
    if (dataValues_->layoutCopies().note(stepSeen_, op, stack))
        dataValues_->memory().watch(stepSeen_, torch::jit::peek(stack, 0, 2).toTensor());
    return false;
}

void Recorder::dispatch(const c10::OperatorHandle& op, Stack& stack) {
    if (const Budget* budget = BudgetScope::current()) budget->checkCancelled();
    const auto args = torch::jit::last(stack, op.schema().arguments().size());
    const bool readsData = dependsOnData(op, args);
    const bool moves = constantsOn_ && std::ranges::any_of(args, [](const c10::IValue& arg) { return arg.isDevice(); });
    if (onlyConstants(args) && !moves && (readsData || !usesLifted(op, args)))
        return runOnConstants(op, stack, readsData);
    if (constantsOn_) {
        // A constant that already has a node need not be lifted.
        const Node* node = lifts(op) ? graph_.nodeOf(args[0]) : nullptr;
        if (node && node->kind() == NodeKind::constant) return;
        placeConstants(op, stack);
    }
    if (affirm(op, stack)) return;
    if (nested_ && (readsData || !masksOfWrite(op, args).empty()))
        throw Error("'" + graphName(op.operator_name()) +
                    "' reads data in a graph that an operator such as cond runs, where it is known only at run time; "
                    "compute it outside of that graph");
    if (const HigherOrderOperator* known = findHigherOrder(op)) return recordHigherOrder(op, *known, stack);
    if (recordZeros(op, stack)) return;
    fitView(op, stack);
    if (!readsData && decomposer_.run(op, stack, graph_)) return;
    // Rules, and functional forms of mutating operators, run below autograd, where nothing else decomposes composite
    // operations. Outside of rules, an operator with another kernel is kept.
    if (!op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd) ||
        (!decomposer_.isRunning() && op.hasKernelForDispatchKey(c10::DispatchKey::CPU)))
        return record(op, stack, readsData);
    const auto rule = findBeforeAutograd(op.operator_name(), dialect_);
    if (!rule || !rule(stack)) op.callBoxedForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd, stack);
}

void Recorder::runOnConstants(const c10::OperatorHandle& op, Stack& stack, bool readsData) {
    const auto args = torch::jit::last(stack, op.schema().arguments().size());
    // What a rule reads from its own numbers is not read by the program.
    if (!decomposer_.isRunning() && (readsData || !masksOfWrite(op, args).empty())) data_.skip();
    requireAffordable(op, args);
    const std::vector<c10::IValue> given = lifts(op) ? args.vec() : std::vector<c10::IValue>();
    runPlainKernel(op, stack);
    if (!given.empty() && constantsOn_) stack.back() = placed(stack.back().toTensor());
    else if (!given.empty()) noteLifted(op, given, stack.back());
}

void Recorder::placeConstants(const c10::OperatorHandle& op, Stack& stack) {
    const std::size_t count = op.schema().arguments().size();
    for (std::size_t i = stack.size() - count; i < stack.size(); ++i)
        stack[i] = mapTensors(stack[i], [this](const at::Tensor& t) {
            const bool constant = t.defined() && !asFake(t) && !t.unsafeGetTensorImpl()->is_wrapped_number();
            return constant ? placed(t) : t;
        });
}

at::Tensor Recorder::placed(const at::Tensor& constant) {
    const PlainKernelScope plain;
    auto [it, isNew] = placed_.try_emplace(constant.unsafeGetTensorImpl(), constant, at::Tensor());
    if (isNew) it->second.second = graph_.constantOn(*constantsOn_, constant);
    return it->second.second;
}

bool Recorder::usesLifted(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) const {
    if (lifted_.empty() || lifts(op) || op.schema().is_mutable()) return false;
    bool any = false;
    for (const auto& a : args)
        forEachTensor(a, [&](const at::Tensor& t) { any = any || lifted_.contains(t.unsafeGetTensorImpl()); });
    return any;
}

void Recorder::noteLifted(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args, const c10::IValue& result) {
    if (!dataValues_ || dialect_ != Dialect::python || decomposer_.isRunning() || !isTensor(result)) return;
    const bool lift = op.operator_name().name == "aten::lift_fresh_copy";
    if (lift || lifted_.contains(args[0].toTensor().unsafeGetTensorImpl()))
        lifted_.emplace(result.toTensor().unsafeGetTensorImpl(), result.toTensor());
}

bool Recorder::recordZeros(const c10::OperatorHandle& op, Stack& stack) {
    static const c10::OperatorName withoutMemory("aten::_efficientzerotensor", "");
    if (op.operator_name() != withoutMemory) return false;
    static const auto zeros = c10::Dispatcher::singleton().findSchemaOrThrow("aten::zeros", "");
    const auto args = torch::jit::last(stack, op.schema().arguments().size());
    Stack computed(args.begin(), args.end());
    dispatch(zeros, computed);
    Node* node = graph_.nodeOf(computed.back());
    evaluator_.run(op, stack);
    graph_.bind(node, stack.back().toTensor());
    return true;
}

bool Recorder::affirm(const c10::OperatorHandle& op, Stack& stack) const {
    if (provenance_.stage() != Stage::backward || op.operator_name().name != "aten::allclose") return false;
    torch::jit::drop(stack, op.schema().arguments().size());
    stack.emplace_back(true);
    return true;
}

void Recorder::fitView(const c10::OperatorHandle& op, Stack& stack) const {
    static const c10::OperatorName view("aten::view", "");
    if (asWritten_ || op.operator_name() != view) return;
    const auto args = torch::jit::last(stack, 2);
    const at::Tensor tensor = args[0].toTensor();
    const std::vector<std::int64_t> sizes = at::infer_size(args[1].toIntVector(), tensor.numel());
    if (tensor.numel() == 0 || at::detail::computeStride(tensor.sizes(), tensor.strides(), c10::IntArrayRef(sizes)))
        return;
    stack[stack.size() - 2] = tensor.clone(at::MemoryFormat::Contiguous);
}

void Recorder::record(const c10::OperatorHandle& op, Stack& stack, bool readsData) {
    const auto count = op.schema().arguments().size();
    const auto args = torch::jit::last(stack, count);
    Node* node = graph_.addCall(op, args);
    provenance_.annotate(node);
    if (provenance_.followed() && op.schema().is_mutable()) return takeWrite(node, stack, count);
    if (provenance_.stage() == Stage::forward && !provenance_.followed()) data_.noteMasks(masksOfWrite(op, args));
    if (asWritten_) dataValues_->memory().noteWrites(op, args);
    evaluate(*node, op, stack, readsData);
    graph_.bindResults(node, torch::jit::last(stack, op.schema().returns().size()));
    if (!asWritten_) return;
    dataValues_->writtenWindows().note(*node, stepSeen_);
    if (dataValues_->layoutCopies().isCopy(stepSeen_))
        dataValues_->memory().watchCopy(stepSeen_, stack.back().toTensor());
}

void Recorder::recordHigherOrder(const c10::OperatorHandle& op, const HigherOrderOperator& known, Stack& stack) {
    const AutocastOfCall autocast;  // for tracing the subgraphs
    const auto count = op.schema().arguments().size();
    const HigherOrderCall call = higherOrderCall(op, torch::jit::last(stack, count));
    const std::vector<TensorShape> inputs = known.stepInputs(call);
    std::vector<std::vector<TensorShape>> outputs(call.subgraphs.size());
    std::vector<std::shared_ptr<const Graph>> subgraphs;
    for (std::size_t i = 0; i < call.subgraphs.size(); ++i) {
        const std::string prefix = known.prefixes[i];
        const std::string name = prefix + "_" + std::to_string(subgraphNames_[prefix]++);
        subgraphs.push_back(traceSubgraph(call.subgraphs[i], inputs, name, outputs[i]));
    }
    Node* node = graph_.addCall(op, torch::jit::last(stack, count), std::move(subgraphs));
    provenance_.annotate(node);
    std::vector<TensorShape> shapes = known.results(call, outputs);
    if (known.countsSteps) {
        evaluate(*node, op, stack, /*readsData=*/true);
        for (std::size_t i = 0; i < shapes.size(); ++i)
            shapes[i].sizes[0] = stack.back().toTensorVector().at(i).size(0);
        stack.pop_back();
    } else {
        torch::jit::drop(stack, count);
    }
    c10::List<at::Tensor> results;
    for (const TensorShape& shape : shapes) {
        const PlainKernelScope plain;
        results.push_back(makeFake(emptyMeta(shape.sizes, shape.strides, shape.dtype), shape.device));
    }
    stack.emplace_back(std::move(results));
    graph_.bindResults(node, torch::jit::last(stack, 1));
}

std::shared_ptr<const Graph> Recorder::traceSubgraph(const c10::IValue& function,
                                                     const std::vector<TensorShape>& inputs, const std::string& name,
                                                     std::vector<TensorShape>& outputs) {
    SubgraphTrace traced = aotscope::traceSubgraph(*subgraphFunction(function), inputs, name, *this);
    outputs = std::move(traced.outputs);
    for (const auto& [op, times] : traced.fallbacks) nestedFallbacks_[op] += times;
    graph_.adoptConstants(std::move(traced.constants));
    for (Node* node : traced.graph->nodes()) node->stage = provenance_.stage();
    return std::move(traced.graph);
}

void Recorder::evaluate(const Node& node, const c10::OperatorHandle& op, Stack& stack, bool readsData) {
    const Node* again = provenance_.followed();
    if (again && !readsData && isRegisteredHere(op.operator_name()))
        return FakeEvaluator::replay(op, readingOf(*again), stack);
    if (!readsData) return evaluator_.run(op, stack);
    if (const Node* origin = provenance_.followed()) return FakeEvaluator::replay(op, readingOf(*origin), stack);
    if (provenance_.stage() == Stage::forward || op.operator_name().name != "aten::index")
        return data_.replay(node, op, stack);
    data_.indexByPlaces(op, stack, graph_);
    evaluator_.run(op, stack);
}

}  // namespace aotscope
