#include "runtime/compiled_function.h"

#include "aten/convert.h"
#include "aten/tensors.h"
#include "ir/printer.h"
#include "ir/runtime_steps.h"
#include "runtime/saved_values.h"
#include "support/error.h"
#include "support/names.h"
#include "trace/views/synthetic_bases.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/AutogradState.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/functions/basic_ops.h>

#include <algorithm>
#include <unordered_set>

namespace aotscope {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

/// What CompiledBackward::forward returns besides the differentiable outputs.
struct ForwardState {
    std::shared_ptr<const CompiledFunction> function;
    std::shared_ptr<const FunctionMetadata> metadata;  ///< of the graph, for the sizes of this call
    CompiledFunction::Observers observers;
    const std::vector<c10::IValue>& inputs;  ///< of the graph
    std::vector<c10::IValue> returned;  ///< the forward's outputs; those given to autograd are replaced by tracked ones
};

/// What the backward needs, kept by the autograd graph.
struct BackwardState final : torch::CustomClassHolder {
    std::shared_ptr<const CompiledFunction> function;
    std::shared_ptr<const FunctionMetadata> metadata;
    CompiledFunction::Observers observers;
    SavedValues values;
};

at::Tensor zeroTangent(const TensorType& expected) {
    const auto options = at::TensorOptions(c10::Device(expected.device.name)).dtype(toScalarType(expected.dtype));
    return at::empty_strided(expected.sizes, expected.strides, options).zero_();
}

at::Tensor withoutHistory(const at::Tensor& tensor) { return tensor.requires_grad() ? detachedTwin(tensor) : tensor; }

/// The backward relies on plain tangents.
at::Tensor withStrides(const at::Tensor& lazy, const TensorType& expected) {
    at::Tensor tangent = lazy.resolve_conj().resolve_neg();
    if (tangent.strides() == c10::IntArrayRef(expected.strides) && tangent.sizes() == c10::IntArrayRef(expected.sizes))
        return tangent;
    if (tangent.sizes() != c10::IntArrayRef(expected.sizes))
        throw Error("the backward got a gradient of sizes " + c10::str(tangent.sizes()) + " for an output of sizes " +
                    c10::str(c10::IntArrayRef(expected.sizes)));
    return at::empty_strided(expected.sizes, expected.strides, tangent.options()).copy_(tangent);
}

}  // namespace

/// The autograd node of a compiled function.
struct CompiledBackward : torch::autograd::Function<CompiledBackward> {
    static variable_list forward(AutogradContext* ctx, ForwardState* state,
                                 at::TensorList /*the inputs, for autograd's eyes*/) {
        const CompiledFunction& function = *state->function;
        const std::vector<bool>& mask = function.layout_.tangentMask;
        ctx->set_materialize_grads(state->metadata->undifferentiableTangents.empty());
        std::vector<c10::IValue> args = function.withoutGradients(state->inputs);
        std::vector<c10::IValue> results;
        {
            // Autograd itself is excluded here, but kernels check whether to keep something for the backward.
            const at::AutoGradMode grad(true);
            results = function.runGraph(function.forward_, args, false, state->observers);
        }
        function.bumpVersions(state->inputs);
        if (results.size() < mask.size())
            failCheck("the forward graph returned " + counted(results.size(), "value") + ", expected at least " +
                      std::to_string(mask.size()));

        const auto firstSaved = std::make_move_iterator(results.begin() + static_cast<std::ptrdiff_t>(mask.size()));
        state->returned.assign(std::make_move_iterator(results.begin()), firstSaved);
        ctx->saved_data["saved"] =
            c10::IValue::make_capsule(saveForBackward(*state, {firstSaved, std::make_move_iterator(results.end())}));

        variable_list tracked;
        for (std::size_t i = 0; i < mask.size(); ++i)
            if (mask[i]) tracked.push_back(state->returned[i].toTensor());
        return tracked;
    }

    /// Copies inputs that the epilogue overwrites.
    static c10::intrusive_ptr<BackwardState> saveForBackward(const ForwardState& state,
                                                             std::vector<c10::IValue> values) {
        std::unordered_set<const c10::StorageImpl*> overwritten;
        for (const std::size_t i : state.function->layout_.overwritten)
            overwritten.insert(storageOf(state.inputs[i].toTensor()));
        for (c10::IValue& value : values)
            if (!overwritten.empty() && isTensor(value) && overwritten.contains(storageOf(value.toTensor())))
                value = value.toTensor().clone();
        auto saved = c10::make_intrusive<BackwardState>();
        saved->function = state.function;
        saved->metadata = state.metadata;
        saved->observers = state.observers;
        saved->values = SavedValues(std::move(values), {&state.returned, &state.inputs});
        return saved;
    }

    static variable_list backward(AutogradContext* ctx, variable_list tangents) {
        const auto holder = ctx->saved_data.at("saved").toCapsule();
        auto& saved = static_cast<BackwardState&>(*holder);
        const CompiledFunction& function = *saved.function;
        std::vector<c10::IValue> args = saved.values.take();
        const auto& expected = saved.metadata->tangents;
        if (tangents.size() != expected.size())
            failCheck("the backward got " + counted(tangents.size(), "tangent") + ", expected one for each of " +
                      differentiableReturns(*saved.metadata));
        for (const std::size_t i : saved.metadata->undifferentiableTangents)
            if (tangents[i].defined())
                throw Error(
                    "the backward needs a value of which the model overwrites parts in place, as in x.mul_(x); eager "
                    "cannot compute this gradient either: write into a copy");
        for (std::size_t i = 0; i < tangents.size(); ++i)
            args.emplace_back(tangents[i].defined() ? withStrides(withoutHistory(tangents[i]), expected[i])
                                                    : zeroTangent(expected[i]));

        std::vector<c10::IValue> results;
        {
            const at::NoGradGuard noGrad;
            results = function.runGraph(function.backward(), args, true, saved.observers);
        }
        variable_list gradients{at::Tensor()};  // for the state argument
        for (std::size_t i = 0; i < results.size(); ++i)
            if (function.parts_.graphMetadata.inputs[i].tensor)
                gradients.push_back(results[i].isTensor() ? results[i].toTensor() : at::Tensor());
        if (!c10::GradMode::is_enabled()) return gradients;
        // create_graph: the gradients may be used, but not differentiated again. Only values that themselves require
        // grad lead to the node that raises the error.
        for (at::Tensor& gradient : gradients)
            if (gradient.defined() && torch::autograd::isDifferentiableType(gradient.scalar_type()))
                gradient = gradient.detach().set_requires_grad(true);
        torch::autograd::DelayedError refuse(
            "a compiled backward cannot be differentiated again (double backward); run the model eagerly for second "
            "derivatives",
            static_cast<int64_t>(gradients.size()));
        return refuse.apply(std::move(gradients));
    }
};

CompiledFunction::Layout::Layout(const CompiledParts& parts)
    : tangentMask(parts.graphMetadata.tangentMask()), plain(parts.metadata.convention.isPlain()) {
    for (std::size_t i = 0; i < parts.metadata.inputs.size(); ++i) {
        const InputInfo& input = parts.metadata.inputs[i];
        if (input.turnsDifferentiable()) turning.push_back(i);
        // Written to without a change (squeeze_ without effect).
        if (input.tensor && input.countsAsWritten && input.mutation == MutationType::notMutated) bumped.push_back(i);
    }
    for (std::size_t i = 0; i < parts.graphMetadata.inputs.size(); ++i) {
        const InputInfo& input = parts.graphMetadata.inputs[i];
        const bool inGraph = input.mutation == MutationType::inGraph;
        if (input.mutation == MutationType::outOfGraph && input.mutatesData) overwritten.push_back(i);
        if (inGraph && input.countsAsWritten) written.push_back(i);
        passedOn.push_back(inGraph && input.mutatesStorageMetadata);
    }
}

CompiledFunction::CompiledFunction(CompiledParts parts)
    : parts_(std::move(parts)),
      layout_(parts_),
      forward_(parts_.compilers.forward, parts_.kind, parts_.forward, parts_.constants) {
    forward_.compile();
    if (parts_.backward)
        backward_ = std::make_unique<const SupervisedGraph>(parts_.compilers.backward, GraphKind::backward,
                                                            parts_.backward, parts_.constants);
}

const CompiledGraph& CompiledFunction::backward() const {
    backward_->compile();
    return *backward_;
}

std::vector<CompilerUse> CompiledFunction::compilers() const {
    std::vector<CompilerUse> list = {forward_.use()};
    if (backward_) list.push_back(backward_->use());
    return list;
}

std::shared_ptr<const CompiledFunction> CompiledFunction::make(CompiledParts parts) {
    return std::shared_ptr<const CompiledFunction>(new CompiledFunction(std::move(parts)));
}

std::shared_ptr<const CompiledFunction> CompiledFunction::interpreted() const {
    CompiledParts parts = parts_;
    parts.compilers.forward = makeInterpreter();
    if (parts.compilers.backward) parts.compilers.backward = parts.compilers.forward;
    return make(std::move(parts));
}

std::optional<std::string> CompiledFunction::failedGuard(const std::vector<c10::IValue>& leaves) const {
    if (leaves.size() != parts_.metadata.inputs.size())
        return "the compiled function takes " + counted(parts_.metadata.inputs.size(), "input") + ", got " +
               std::to_string(leaves.size());
    if (auto reason = parts_.sizes->failed(leaves)) return reason;
    if (auto reason = failedGradMode(leaves)) return reason;
    if (const auto now = AutocastState::current(); !(now == parts_.autocast))
        return "autocast is " + now.text() + ", it was " + parts_.autocast.text() + " when it was compiled";
    if (auto reason = failedAliasing(parts_.metadata, leaves)) return reason;
    return failedInputs(leaves);
}

std::optional<std::string> CompiledFunction::failedGradMode(const std::vector<c10::IValue>& leaves) const {
    const bool on = c10::GradMode::is_enabled();
    if (!on && parts_.metadata.needsAutograd) return "gradients are disabled, but were enabled when it was compiled";
    const auto differentiable = [](const c10::IValue& leaf) {
        return leaf.isTensor() && leaf.toTensor().requires_grad();
    };
    if (on && !parts_.metadata.gradMode && std::any_of(leaves.begin(), leaves.end(), differentiable))
        return "gradients are required, but were not when it was compiled";
    return std::nullopt;
}

/// Checks the graph's inputs: their memory may have a different size than the arguments show, and the program may have
/// read their data.
std::optional<std::string> CompiledFunction::failedInputs(const std::vector<c10::IValue>& leaves) const {
    const CallingConvention& convention = parts_.metadata.convention;
    if (!convention.hasSyntheticBases() && !parts_.guards) return std::nullopt;
    const SymbolValues values = parts_.sizes->bind(leaves);
    const std::vector<c10::IValue> inputs = packArguments(convention, leaves);
    for (std::size_t i = 0; i < inputs.size() && convention.inputs[i].syntheticBase; ++i) {
        const TensorType expected = parts_.graphMetadata.inputs[i].tensor->at(values),
                         found = typeOf(inputs[i].toTensor());
        if (found.sizes != expected.sizes || found.strides != expected.strides || found.dtype != expected.dtype)
            return "the " + parts_.graphMetadata.inputs[i].name + " is " + printTensorType(found) + ", expected " +
                   printTensorType(expected);
    }
    return parts_.guards ? parts_.guards->failed(inputs) : std::nullopt;
}

std::vector<c10::IValue> CompiledFunction::operator()(const std::vector<c10::IValue>& leaves) const {
    if (const auto reason = failedGuard(leaves))
        throw Error("the inputs do not fit what was compiled (" + *reason + "); compile for these inputs");
    return run(leaves, {});
}

std::vector<c10::IValue> CompiledFunction::run(const std::vector<c10::IValue>& leaves, Observers observers) const {
    for (const std::size_t i : layout_.turning) leaves[i].toTensor().set_requires_grad(true);
    // Before the graph saves it for the backward.
    for (const std::size_t i : layout_.bumped) torch::autograd::impl::bump_version(leaves[i].toTensor());
    if (!parts_.sizes->dynamic())
        return runAt(parts_.metadata, SharedMetadata(shared_from_this(), &parts_.graphMetadata), leaves, observers);
    const SymbolValues values = parts_.sizes->bind(leaves);
    return runAt(parts_.metadata.at(values), std::make_shared<const FunctionMetadata>(parts_.graphMetadata.at(values)),
                 leaves, observers);
}

std::vector<c10::IValue> CompiledFunction::runAt(const FunctionMetadata& function, const SharedMetadata& graph,
                                                 const std::vector<c10::IValue>& leaves, Observers observers) const {
    std::vector<c10::IValue> packed;
    if (!layout_.plain) packed = packArguments(function.convention, leaves);
    const std::vector<c10::IValue>& inputs = layout_.plain ? leaves : packed;
    const std::vector<c10::IValue> returned =
        graph->needsAutograd ? runTraining(graph, inputs, observers) : runInference(inputs, observers);
    return finishForward({function, *graph, leaves, inputs, returned}, parts_.outputViews);
}

/// The graph's inputs: autograd records nothing on them.
std::vector<c10::IValue> CompiledFunction::withoutGradients(const std::vector<c10::IValue>& inputs) const {
    std::vector<c10::IValue> args;
    args.reserve(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const bool tracked = inputs[i].isTensor() && inputs[i].toTensor().requires_grad() && !layout_.passedOn[i];
        if (tracked) args.emplace_back(detachedTwin(inputs[i].toTensor()));
        else args.push_back(inputs[i]);
    }
    return args;
}

/// Kernels below autograd do not increment versions; autograd must notice what the graph has overwritten.
void CompiledFunction::bumpVersions(const std::vector<c10::IValue>& inputs) const {
    for (const std::size_t i : layout_.written) torch::autograd::impl::bump_version(inputs[i].toTensor());
}

std::vector<c10::IValue> CompiledFunction::runGraph(const CompiledGraph& graph, std::vector<c10::IValue>& args,
                                                    bool backward, Observers observers) const {
    if (observers.graphs) observers.graphs->before(backward);
    std::vector<c10::IValue> results = graph.run(args, backward ? observers.backward : observers.forward);
    if (observers.graphs) observers.graphs->after(backward);
    return results;
}

std::vector<c10::IValue> CompiledFunction::runInference(const std::vector<c10::IValue>& inputs,
                                                        Observers observers) const {
    const at::NoGradGuard noGrad;
    std::vector<c10::IValue> args = withoutGradients(inputs);
    std::vector<c10::IValue> returned = runGraph(forward_, args, false, observers);
    bumpVersions(inputs);
    return returned;
}

std::vector<c10::IValue> CompiledFunction::runTraining(const SharedMetadata& metadata,
                                                       const std::vector<c10::IValue>& inputs,
                                                       Observers observers) const {
    ForwardState state{shared_from_this(), metadata, observers, inputs, {}};
    const at::AutoGradMode grad(true);
    variable_list tensors;
    for (const auto& input : inputs)
        if (input.isTensor()) tensors.push_back(input.toTensor());
    const variable_list tracked = CompiledBackward::apply(&state, at::TensorList(tensors));
    std::size_t next = 0;
    for (std::size_t i = 0; i < layout_.tangentMask.size(); ++i)
        if (layout_.tangentMask[i]) state.returned[i] = tracked[next++];
    return std::move(state.returned);
}

}  // namespace aotscope
