#include "trace/recorder.h"

#include "aten/convert.h"
#include "aten/fake_tensor.h"
#include "aten/tensors.h"
#include "ir/printer.h"
#include "ops/decomposition.h"
#include "ops/pre_autograd.h"
#include "support/budget.h"
#include "support/error.h"
#include "trace/cross_check.h"
#include "trace/view_history.h"

#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/SequenceNumber.h>
#include <torch/csrc/autograd/function.h>

namespace aotscope {

namespace {

using Stack = torch::jit::Stack;

/// Calls `visit` for every defined tensor of `value`.
template <typename Visit>
void forEachTensor(const c10::IValue& value, Visit&& visit) {
    if (value.isTensor()) {
        if (value.toTensor().defined()) visit(value.toTensor());
    } else if (value.isTensorList()) {
        for (const at::Tensor& t : value.toTensorVector())
            if (t.defined()) visit(t);
    } else if (value.isOptionalTensorList()) {
        for (const std::optional<at::Tensor>& t : value.toOptionalTensorVector())
            if (t && t->defined()) visit(*t);
    }
}

/// True if there are tensors among `args` and all of them are ordinary ones.
bool onlyConstants(c10::ArrayRef<c10::IValue> args) {
    bool any = false, fake = false;
    for (const auto& a : args)
        forEachTensor(a, [&](const at::Tensor& t) {
            any = true;
            fake = fake || asFake(t);
        });
    return any && !fake;
}

bool isDefault(const c10::Argument& argument, const c10::IValue& value) {
    if (!argument.default_value()) return false;
    const c10::IValue& standard = *argument.default_value();
    if (standard.isNone()) return value.isNone() || (value.isTensor() && !value.toTensor().defined());
    if (value.isTensor() || value.isTensorList() || value.isNone()) return false;
    if (standard.isScalar() && value.isScalar()) {
        return standard.tagKind() == value.tagKind() && standard == value;
    }
    return standard == value;
}

/// True for Tensor?[].
bool takesOptionals(const c10::Type& type) {
    return type.kind() == c10::TypeKind::ListType &&
           type.castRaw<c10::ListType>()->getElementType()->kind() == c10::TypeKind::OptionalType;
}

/// Throws Error when an operation on constants would go through more elements than the budget has time for: views that
/// repeat one element make any number of them, and a kernel cannot be stopped.
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

/// TorchScript passes lists for Tensor?[] whose element type is not the one that functionalization looks for;
/// it would leave their elements wrapped.
c10::IValue asOptionals(const c10::IValue& list) {
    c10::List<std::optional<at::Tensor>> optionals;
    for (const c10::IValue& v : list.toListRef())
        optionals.push_back(v.isNone() ? std::nullopt : std::optional<at::Tensor>(v.toTensor()));
    return optionals;
}

/// Views of other numbers refuse a tensor that is lazily conjugated or negated. A functional value is so where the
/// program's tensor is not, after a write through a lazy view of it; being no one's memory, it may be copied.
void resolveLazyBits(const c10::OperatorHandle& op, Stack& stack) {
    static const c10::OperatorName asReal("aten::view_as_real", ""), asType("aten::view", "dtype");
    if (op.operator_name() != asReal && op.operator_name() != asType) return;
    c10::IValue& value = stack[stack.size() - op.schema().arguments().size()];
    const at::Tensor tensor = value.toTensor();
    if (at::functionalization::impl::isFunctionalTensor(tensor) || !(tensor.is_conj() || tensor.is_neg())) return;
    value = tensor.resolve_conj().resolve_neg();
}

/// Autograd refuses to detach a view in place, which an argument can be here and not in the program.
bool detachesNothing(const c10::OperatorHandle& op, const Stack& stack) {
    static const c10::OperatorName detach("aten::detach_", "");
    return op.operator_name() == detach && !stack.back().toTensor().requires_grad();
}

void refuseCutView(const at::Tensor& view) {
    if (!isReplayedView(view) || !isCutFromBase(view) || !isWrittenSince(view)) return;
    throw Error(
        "the model detaches a tensor in place (detach_) and goes on with a view of it, after a write; use "
        "detach(), which makes a new one");
}

/// Out of place, an operation in place that changes how a tensor looks at its memory; none for others.
std::optional<c10::OperatorHandle> viewOutOfPlace(const c10::OperatorHandle& op) {
    static const std::unordered_set<std::string> inPlace = {"aten::as_strided_", "aten::squeeze_", "aten::t_",
                                                            "aten::transpose_", "aten::unsqueeze_"};
    const auto& [name, overload] = op.operator_name();
    if (!inPlace.contains(name)) return std::nullopt;
    return c10::Dispatcher::singleton().findSchemaOrThrow(name.substr(0, name.size() - 1).c_str(),
                                                          name == "aten::transpose_" ? "int" : overload.c_str());
}

/// Of a tensor that is lazily conjugated or negated, LibTorch changes a copy, and writes that back without a gap. `op`
/// changes a view in place.
void refuseWritingBeside(const c10::OperatorHandle& op, const Stack& stack) {
    const at::Tensor& tensor = torch::jit::peek(stack, 0, op.schema().arguments().size()).toTensor();
    if (!(tensor.is_conj() || tensor.is_neg()) || tensor.is_contiguous()) return;
    throw Error("the model changes the shape of a lazily conjugated or negated tensor with gaps in place (" +
                op.operator_name().name.substr(6) +
                "), which makes LibTorch overwrite other memory; change a copy, for example a clone");
}

/// Does `op`, and sees to it that autograd knows how its result comes from its base: changed views as they are now, and
/// a view by strides from the base itself, of which it may reach more than the view that it was made of. `view`: `op`
/// out of place, if it changes a view in place.
bool noteView(const c10::OperatorHandle& op, const std::optional<c10::OperatorHandle>& view, c10::DispatchKeySet keys,
              Stack& stack) {
    static const c10::OperatorName asStrided("aten::as_strided", "");
    if (!view && op.operator_name() != asStrided) return false;
    const auto count = op.schema().arguments().size();
    const Stack arguments(stack.end() - static_cast<std::ptrdiff_t>(count), stack.end());
    const at::Tensor tensor = arguments[0].toTensor();
    if (!isReplayedView(tensor)) return false;
    if (!view && (arguments[3].isNone() || baseOf(tensor).scalar_type() != tensor.scalar_type())) return false;
    op.redispatchBoxed(keys, &stack);
    ViewOperation replay = [operation = view.value_or(op), arguments](const at::Tensor& t) {
        Stack call = arguments;
        call[0] = t;
        operation.callBoxed(call);
        return call[0].toTensor();
    };
    if (view) noteChangeInPlace(tensor, std::move(replay));
    else noteMadeFromBase(stack.back().toTensor(), std::move(replay));
    return true;
}

DataResult resultOf(const ValueType& type) {
    DataResult result;
    if (const TensorType* tensor = type.tensor()) {
        result.isTensor = true;
        result.sizes = tensor->sizes;
        result.strides = tensor->strides;
        result.dtype = toScalarType(tensor->dtype);
    } else if (const auto* number = type.scalar()) {
        switch (number->kind) {
            case ScalarType::Kind::integer: result.number = static_cast<std::int64_t>(number->hint); break;
            case ScalarType::Kind::real: result.number = number->hint; break;
            case ScalarType::Kind::boolean: result.number = number->hint != 0; break;
        }
    }
    return result;
}

/// What `node` found in data when it was traced.
DataReading readingOf(const Node& node) {
    DataReading reading{node.op(), {}};
    if (const auto* tuple = node.type.tuple())
        for (const ValueType& type : *tuple) reading.results.push_back(resultOf(type));
    else reading.results.push_back(resultOf(node.type));
    return reading;
}

ValueType typeOfNumber(const c10::IValue& value) {
    if (value.isInt()) return {ScalarType{ScalarType::Kind::integer, static_cast<double>(value.toInt())}};
    if (value.isDouble()) return {ScalarType{ScalarType::Kind::real, value.toDouble()}};
    if (value.isBool()) return {ScalarType{ScalarType::Kind::boolean, value.toBool() ? 1.0 : 0.0}};
    return {};
}

}  // namespace

Recorder::Recorder(std::string graphName, LocationSink& location, DataDependentValues* dataValues)
    : graph_(std::make_unique<Graph>(std::move(graphName))),
      location_(location),
      dataValues_(dataValues),
      evaluator_(crossCheck()) {
    if (auto* check = crossCheck()) check->beginTrace();
}

Node* Recorder::addPlaceholder(std::string_view name, const at::Tensor& fake, Role role, std::string label) {
    if (auto* check = crossCheck()) check->bindInput(fake, label);
    Node* node = graph_->addPlaceholder(name, {typeOfFake(fake)}, role, std::move(label));
    node->stage = stage_;
    bind(node, fake);
    return node;
}

Node* Recorder::addValuePlaceholder(std::string_view name, const c10::IValue& value, std::string label) {
    return graph_->addPlaceholder(name, typeOfNumber(value), Role::userInput, std::move(label));
}

void Recorder::addConstant(const std::string& name, const at::Tensor& fake) {
    bind(graph_->addConstant(name, {typeOfFake(fake)}), fake);
}

Argument Recorder::valueOf(const at::Tensor& tensor) {
    const auto it = nodes_.find(valueKey(tensor));
    if (it != nodes_.end()) return it->second;
    check(!asFake(tensor), "a traced tensor without a node");
    if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) {
        const PlainKernelScope plain;
        const c10::Scalar scalar = tensor.item();
        return toArgument(c10::IValue(scalar), *c10::NumberType::get(), {});
    }
    const std::string name = "_tensor_constant" + std::to_string(constants_.size());
    constants_.emplace(name, tensor);
    TensorType type = typeOf(tensor);
    Node* node = graph_->addConstant(name, {std::move(type)});
    bind(node, tensor);
    return node;
}

void Recorder::writeBack(const at::Tensor& input, const at::Tensor& updated, bool storage) {
    const Argument value = valueOf(updated);
    Node* placeholder = valueOf(input).node();
    Node* write = graph_->addCall(storage ? "aten.set_.source_Tensor" : "aten.copy_.default", {placeholder, value}, {},
                                  placeholder->type);
    write->stage = Stage::forward;
    if (const Node* made = value.node()) write->source = made->source;
}

std::unique_ptr<Graph> Recorder::finish(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots) {
    std::vector<Argument> values;
    const auto& any = *c10::AnyType::get();
    for (const auto& output : outputs)
        values.push_back(toArgument(output, any, [this](const at::Tensor& t) { return valueOf(t); }));
    graph_->setOutput(std::move(values), std::move(slots));
    return std::move(graph_);
}

bool Recorder::intercept(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack& stack) {
    const auto& declared = op.schema().arguments();
    for (std::size_t i = 0; i < declared.size(); ++i) {
        c10::IValue& value = stack[stack.size() - declared.size() + i];
        if (value.isList() && !value.isOptionalTensorList() && takesOptionals(*declared[i].type()))
            value = asOptionals(value);
        forEachTensor(value, [this](const at::Tensor& t) {
            refuseCutView(t);
            noteWrapper(t);
        });
    }
    resolveLazyBits(op, stack);
    const auto view = viewOutOfPlace(op);
    if (view) refuseWritingBeside(op, stack);
    if (layOutAsWritten(op, stack)) return true;
    auto* rewrite = findPreAutogradRewrite(op.operator_name());
    return (rewrite && rewrite(stack)) || detachesNothing(op, stack) || noteView(op, view, keys, stack);
}

bool Recorder::layOutAsWritten(const c10::OperatorHandle& op, Stack& stack) {
    if (!dataValues_ || stage_ == Stage::backward || location_.step() == stepSeen_) return false;
    stepSeen_ = location_.step();
    if (!asWritten_)
        return dataValues_->layoutCopies().copy(stepSeen_, op, stack) ||
               dataValues_->writtenWindows().view(stepSeen_, op, stack);
    dataValues_->layoutCopies().note(stepSeen_, op, stack);
    return false;
}

void Recorder::dispatch(const c10::OperatorHandle& op, Stack& stack) {
    if (const Budget* budget = BudgetScope::current()) budget->checkCancelled();
    const auto count = op.schema().arguments().size();
    const c10::ArrayRef<c10::IValue> args(stack.data() + (stack.size() - count), count);
    const bool readsData = dependsOnData(op, args);
    if (onlyConstants(args)) {
        // What a rule reads of its own numbers, no program reads.
        if (rewrite_ < 0 && (readsData || !masksOfWrite(op, args).empty())) ++nextReading_;
        requireAffordable(op, args);
        const PlainKernelScope plain;
        op.callBoxed(stack);
        return;
    }
    if (!readsData && decompose(op, stack)) return;
    if (rewrite_ >= 0 && op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd)) {
        // Rules run below autograd, where nothing else takes composite operations apart.
        const auto rewrite = findPreAutogradRewrite(op.operator_name());
        if (!rewrite || !rewrite(stack)) op.callBoxedForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd, stack);
        return;
    }
    Node* node = recordCall(op, args);
    if (origin_ && op.schema().is_mutable()) return recordWrite(node, stack, count);
    if (stage_ == Stage::forward && !origin_) noteMasks(masksOfWrite(op, args));
    if (readsData) replay(node, op, stack);
    else evaluator_.run(op, stack);
    const auto results = op.schema().returns().size();
    bindResults(node, c10::ArrayRef<c10::IValue>(stack.data() + (stack.size() - results), results));
    if (asWritten_) dataValues_->writtenWindows().note(*node, stepSeen_);
}

/// Runs the rule for `op` if there is one. What it calls arrives in dispatch as everything else does.
bool Recorder::decompose(const c10::OperatorHandle& op, Stack& stack) {
    const DecompositionRow* row = table_ ? table_->find(graphName(op.operator_name())) : nullptr;
    if (!row) return false;
    const auto count = op.schema().arguments().size();
    const c10::ArrayRef<c10::IValue> args(stack.data() + (stack.size() - count), count);
    if (!masksOfWrite(op, args).empty()) return false;  // what they choose is known of this very call only
    const int outer = rewrite_, own = beginRewrite(op, *row, args);
    const std::size_t before = graph_->size();
    rewrite_ = own;
    const bool done = row->run(stack);
    rewrite_ = outer;
    if (!done) {
        rewrites_.resize(static_cast<std::size_t>(own));
        return false;
    }
    Rewrite& rewrite = rewrites_[static_cast<std::size_t>(own)];
    for (std::size_t i = before; i < graph_->size(); ++i) rewrite.nodes.push_back(graph_->at(i)->id());
    const auto results = op.schema().returns().size();
    for (std::size_t i = stack.size() - results; i < stack.size(); ++i)
        forEachTensor(stack[i], [&](const at::Tensor& t) {
            if (const Node* node = nodeOf(t)) rewrite.results.push_back(node->id());
        });
    return true;
}

int Recorder::beginRewrite(const c10::OperatorHandle& op, const DecompositionRow& row,
                           c10::ArrayRef<c10::IValue> args) {
    const auto [positional, keywords] = callArguments(op, args);
    Rewrite rewrite{row.op, row.rule, std::string(row.op) + "(" + printArguments(positional, keywords) + ")"};
    const auto note = [&](const Node* node) { rewrite.inputs.push_back(node->id()); };
    for (const Argument& a : positional) forEachNode(a, note);
    for (const auto& [key, a] : keywords) forEachNode(a, note);
    rewrite.parent = rewrite_;
    rewrites_.push_back(std::move(rewrite));
    return static_cast<int>(rewrites_.size()) - 1;
}

void Recorder::follow(const Node* node) {
    origin_ = node;
    stage_ = node->stage;
}

Node* Recorder::nodeOf(const c10::IValue& value) const {
    if (!isTensor(value)) return nullptr;
    const auto it = nodes_.find(valueKey(value.toTensor()));
    return it == nodes_.end() ? nullptr : it->second;
}

/// A write into an input, which a graph that is run again ends with: later uses of the input mean its value before.
void Recorder::recordWrite(Node* node, Stack& stack, std::size_t arguments) {
    node->type = node->args()[0].node()->type;
    const c10::IValue input = stack[stack.size() - arguments];
    stack.resize(stack.size() - arguments);
    stack.push_back(input);
}

void Recorder::replay(Node* node, const c10::OperatorHandle& op, Stack& stack) {
    if (origin_) return FakeEvaluator::replay(op, readingOf(*origin_), stack);
    if (stage_ == Stage::backward && op.operator_name().name == "aten::index") return indexInBackward(op, stack);
    const DataReading& reading = dataValues_->reading(nextReading_++, node->op());
    readings_.push_back({node->id(), reading.results, false});
    FakeEvaluator::replay(op, reading, stack);
}

void Recorder::noteMasks(const std::vector<at::Tensor>& masks) {
    if (masks.empty()) return;
    const DataReading& reading = dataValues_->reading(nextReading_++, kMaskedWrite);
    check(reading.results.size() == masks.size(), "a write has as many masks as in the eager run");
    for (std::size_t i = 0; i < masks.size(); ++i) places_[valueKey(masks[i])] = reading.results[i];
}

/// The gradient of what a write by masks has written: as many elements as the masks chose, in the places of indices.
void Recorder::indexInBackward(const c10::OperatorHandle& op, Stack& stack) {
    c10::List<std::optional<at::Tensor>> places;
    for (const std::optional<at::Tensor>& index : stack.back().toOptionalTensorVector()) {
        const auto known = index && index->defined() ? places_.find(valueKey(*index)) : places_.end();
        if (known == places_.end()) {
            places.push_back(index);
            continue;
        }
        readings_.push_back({valueOf(*index).node()->id(), {known->second}, true});
        const auto& sizes = known->second.sizes;  // one row for each place
        const at::Tensor indices = makeFake(emptyMeta({sizes[0]}, {1}, at::kLong), index->device());
        for (std::int64_t dim = 0; dim < sizes[1]; ++dim) places.push_back(indices);
    }
    stack.back() = std::move(places);
    const auto count = op.schema().arguments().size();
    if (dependsOnData(op, c10::ArrayRef<c10::IValue>(stack.data() + (stack.size() - count), count)))
        throw Error(
            "the backward selects elements by a mask that the forward did not write by; multiply by the mask "
            "instead");
    evaluator_.run(op, stack);
}

/// An operation's own result, saved by autograd for its backward, comes back in a wrapper of its own, while
/// saved inputs come back as they were: that tells them apart.
void Recorder::noteWrapper(const at::Tensor& wrapper) {
    if (!at::functionalization::impl::isFunctionalTensor(wrapper)) return;
    if (stage_ == Stage::forward) {
        if (forwardWrappers_.insert(wrapper.unsafeGetTensorImpl()).second) keepAlive_.push_back(wrapper);
        return;
    }
    if (forwardWrappers_.contains(wrapper.unsafeGetTensorImpl())) return;
    const auto* functional = at::functionalization::impl::unsafeGetFunctionalWrapper(wrapper);
    const auto it = nodes_.find(valueKey(functional->value()));
    if (it != nodes_.end() && it->second->stage == Stage::forward && it->second->kind() == NodeKind::call)
        it->second->autograd.kept = keptResult();
}

KeptResult Recorder::keptResult() const {
    return table_ && table_->find("aten.detach.default") ? KeptResult::aliased : KeptResult::detached;
}

void Recorder::noteOutputs(const std::vector<c10::IValue>& outputs) {
    for (const auto& output : outputs) forEachTensor(output, [this](const at::Tensor& t) { noteWrapper(t); });
}

Recorder::CallArguments Recorder::callArguments(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) {
    const auto& declared = op.schema().arguments();
    // As PyTorch prints calls: trailing positional defaults and default keywords are left out.
    std::size_t positional = 0;
    for (std::size_t i = 0; i < args.size(); ++i)
        if (!declared[i].kwarg_only() && !isDefault(declared[i], args[i])) positional = i + 1;

    std::vector<Argument> values;
    KeywordArguments keywords;
    const auto node = [this](const at::Tensor& t) { return valueOf(t); };
    for (std::size_t i = 0; i < args.size(); ++i) {
        const auto& type = *declared[i].real_type();
        if (i < positional && !declared[i].kwarg_only()) values.push_back(toArgument(args[i], type, node));
        else if (declared[i].kwarg_only() && !isDefault(declared[i], args[i]))
            keywords.emplace_back(declared[i].name(), toArgument(args[i], type, node));
    }
    return {std::move(values), std::move(keywords)};
}

Node* Recorder::recordCall(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) {
    constexpr std::size_t kMostNodes = 1'000'000;
    if (graph_->size() >= kMostNodes)
        throw Error("the trace has reached " + std::to_string(kMostNodes) +
                    " operations; loops are unrolled, make them shorter");
    auto [values, keywords] = callArguments(op, args);
    Node* call = graph_->addCall(graphName(op.operator_name()), std::move(values), std::move(keywords), {});
    annotate(call);
    return call;
}

void Recorder::bindResults(Node* node, c10::ArrayRef<c10::IValue> results) {
    if (results.size() == 1 && results[0].isTensor()) {
        const at::Tensor& fake = results[0].toTensor();
        if (!fake.defined()) return;
        node->type.data = typeOfFake(fake);
        return bind(node, fake);
    }
    if (results.size() == 1 && results[0].isScalar()) {
        node->type = typeOfNumber(results[0]);
        return;
    }
    // A tuple of results, or a list of tensors as the only result: one getitem for each defined tensor.
    std::vector<at::Tensor> elements;
    for (const auto& result : results) {
        if (result.isTensorList()) {
            check(results.size() == 1, "an operation returns a list among other results");
            for (const at::Tensor& t : result.toTensorVector()) elements.push_back(t);
        } else {
            elements.push_back(result.isTensor() ? result.toTensor() : at::Tensor());
        }
    }
    TupleType types;
    for (const auto& t : elements) types.push_back(t.defined() ? ValueType{typeOfFake(t)} : ValueType{});
    node->type.data = std::move(types);
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (elements[i].defined()) bind(addItem(node, static_cast<std::int64_t>(i), elements[i]), elements[i]);
}

void Recorder::bind(Node* node, const at::Tensor& fake) {
    nodes_[valueKey(fake)] = node;
    keepAlive_.push_back(fake);
    if (const auto* impl = asFake(fake)) keepAlive_.push_back(impl->meta());
}

Node* Recorder::addItem(Node* tuple, std::int64_t index, const at::Tensor& fake) {
    Node* item = graph_->addCall("operator.getitem", {tuple, index}, {}, {typeOfFake(fake)});
    item->stage = tuple->stage;
    item->source = tuple->source;
    item->autograd = tuple->autograd;
    return item;
}

/// Forward: the sequence number of the autograd node that this operation's enclosing call has just made; the
/// first operation recorded with a number is the one it differentiates. Backward: the node being evaluated.
void Recorder::annotate(Node* node) {
    node->stage = stage_;
    if (origin_) return annotateAs(node, *origin_);
    if (stage_ == Stage::forward) {
        node->source = location_.current();
        node->autograd.sequence = static_cast<std::int64_t>(at::sequence_number::peek()) - 1;
        forwardBySequence_.emplace(node->autograd.sequence, node);
        return;
    }
    const auto function = torch::autograd::get_current_node();
    if (!function) return;
    node->autograd.sequence = static_cast<std::int64_t>(function->sequence_nr());
    node->autograd.function = function->name();
    const auto it = forwardBySequence_.find(node->autograd.sequence);
    if (it == forwardBySequence_.end()) return;
    node->autograd.forward = it->second->id();
    node->source = it->second->source;
}

void Recorder::annotateAs(Node* node, const Node& origin) {
    node->source = origin.source;
    node->autograd = origin.autograd;
    node->autograd.kept = KeptResult::no;  // of the last node only
    firstOf_.emplace(origin.id(), node->id());
    const auto forward = firstOf_.find(origin.autograd.forward);
    node->autograd.forward = forward == firstOf_.end() ? kNoNode : forward->second;
}

TensorType Recorder::typeOfFake(const at::Tensor& fake) {
    TensorType type = typeOf(fake);
    if (fake.layout() == at::kStrided) {
        const auto* storage = storageOf(fake);
        type.storage = storages_.emplace(storage, static_cast<std::int64_t>(storages_.size())).first->second;
    }
    return type;
}

}  // namespace aotscope
