#include "runtime/compiled_function.h"

#include "device/captured_graph.h"
#include "ir/printer.h"
#include "support/error.h"
#include "trace/convert.h"
#include "trace/synthetic_bases.h"
#include "trace/tensors.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/AutogradState.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/functions/basic_ops.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <algorithm>
#include <unordered_set>

namespace aotscope {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

/// What travels from CompiledBackward::forward to the caller beside the differentiable outputs.
struct ForwardState {
    std::shared_ptr<const CompiledFunction> function;
    const FunctionMetadata& metadata;  ///< of the graph, at the sizes of this call
    CompiledFunction::Observers observers;
    const std::vector<c10::IValue>& inputs;  ///< of the graph
    std::vector<c10::IValue>
        returned;  ///< forward returns; those given to autograd are replaced by their tracked twins
};

/// What the backward needs, kept by the autograd graph.
struct SavedState final : torch::CustomClassHolder {
    std::shared_ptr<const CompiledFunction> function;
    CompiledFunction::Observers observers;
    std::vector<torch::autograd::SavedVariable> tensors;  ///< empty ones after a backward that frees its graph
    std::vector<c10::IValue> symints;
    std::vector<TensorType> tangents;  ///< as the backward graph expects them
    std::vector<std::size_t> refusedTangents;
    bool freed = false;

    /// The arguments of the backward graph before the tangents. Unless the graph is retained they are given away,
    /// so that the interpreter frees each at its last use.
    std::vector<c10::IValue> take() {
        TORCH_CHECK(!freed, torch::autograd::ERR_BACKWARD_TWICE);
        std::vector<c10::IValue> args = symints;
        for (const auto& tensor : tensors) args.emplace_back(tensor.unpack());
        freed = !torch::autograd::get_current_graph_task_keep_graph();
        if (freed) tensors.clear();
        return args;
    }
};

/// Gives `saved` the version counter of the tensor it shares memory with, so that autograd notices when a user
/// overwrites that memory before the backward.
void shareVersions(const std::vector<c10::IValue>& visible, const std::vector<at::Tensor>& saved) {
    std::unordered_map<const c10::StorageImpl*, const at::Tensor*> owners;
    for (const auto& value : visible)
        if (value.isTensor() && value.toTensor().defined())
            owners.emplace(storageOf(value.toTensor()), &value.toTensor());
    for (const at::Tensor& t : saved)
        if (const auto it = t.defined() ? owners.find(storageOf(t)) : owners.end(); it != owners.end())
            t.unsafeGetTensorImpl()->set_version_counter(torch::autograd::impl::version_counter(*it->second));
}

/// What the graph gets: nothing in it is recorded by autograd. An input whose storage the graph replaces is passed as
/// it is, for a detached twin would keep the old one.
std::vector<c10::IValue> withoutGradients(const FunctionMetadata& metadata, std::vector<c10::IValue> inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const InputInfo& info = metadata.inputs[i];
        const bool replaced = info.mutatesStorageMetadata && info.mutation == MutationType::inGraph;
        if (inputs[i].isTensor() && inputs[i].toTensor().requires_grad() && !replaced)
            inputs[i] = inputs[i].toTensor().detach();
    }
    return inputs;
}

/// Kernels below autograd do not count what they write; autograd has to see what the graph has overwritten.
void bumpVersions(const FunctionMetadata& metadata, const std::vector<c10::IValue>& inputs) {
    for (const std::size_t i : metadata.inputsMutatedInGraph())
        if (metadata.inputs[i].countsAsWritten) torch::autograd::impl::bump_version(inputs[i].toTensor());
}

at::Tensor zeroTangent(const TensorType& expected) {
    const auto options = at::TensorOptions(c10::Device(expected.device.name)).dtype(toScalarType(expected.dtype));
    return at::empty_strided(expected.sizes, expected.strides, options).zero_();
}

at::Tensor withStrides(const at::Tensor& tangent, const TensorType& expected) {
    if (tangent.strides() == c10::IntArrayRef(expected.strides) && tangent.sizes() == c10::IntArrayRef(expected.sizes))
        return tangent;
    if (tangent.sizes() != c10::IntArrayRef(expected.sizes))
        throw Error("a gradient of sizes " + c10::str(tangent.sizes()) + " came back for an output of sizes " +
                    c10::str(c10::IntArrayRef(expected.sizes)));
    return at::empty_strided(expected.sizes, expected.strides, tangent.options()).copy_(tangent);
}

}  // namespace

/// The autograd node of a compiled function.
struct CompiledBackward : torch::autograd::Function<CompiledBackward> {
    static variable_list forward(AutogradContext* ctx, ForwardState* state,
                                 at::TensorList /*the inputs, for autograd's eyes*/) {
        const CompiledFunction& function = *state->function;
        const FunctionMetadata& metadata = state->metadata;
        ctx->set_materialize_grads(metadata.refusedTangents.empty());
        std::vector<c10::IValue> args = withoutGradients(metadata, state->inputs);
        std::vector<c10::IValue> results;
        {
            // Autograd itself is excluded in there; but kernels look whether to keep something for the backward.
            const at::AutoGradMode grad(true);
            results = function.forward_->run(args, state->observers.forward);
        }
        bumpVersions(metadata, state->inputs);
        const auto count = static_cast<std::ptrdiff_t>(metadata.forwardReturns());
        check(results.size() >= metadata.forwardReturns(), "the forward graph returned too few values");

        state->returned.assign(results.begin(), results.begin() + count);
        ctx->saved_data["saved"] =
            c10::IValue::make_capsule(saveForBackward(*state, {results.begin() + count, results.end()}));

        variable_list tracked;
        const auto mask = metadata.tangentMask();
        for (std::size_t i = 0; i < mask.size(); ++i)
            if (mask[i]) tracked.push_back(state->returned[i].toTensor());
        return tracked;
    }

    /// Inputs that the epilogue overwrites are copied. All are detached: a tensor that is also an output would
    /// otherwise hold the autograd graph that holds it.
    static c10::intrusive_ptr<SavedState> saveForBackward(const ForwardState& state,
                                                          const std::vector<c10::IValue>& values) {
        std::unordered_set<const c10::StorageImpl*> overwritten;
        for (auto i : state.metadata.mutatedInputIndices())
            if (state.metadata.inputs[i].mutatesData) overwritten.insert(storageOf(state.inputs[i].toTensor()));
        auto saved = c10::make_intrusive<SavedState>();
        saved->function = state.function;
        saved->observers = state.observers;
        saved->tangents = state.metadata.tangents;
        saved->refusedTangents = state.metadata.refusedTangents;
        variable_list tensors;
        for (const auto& value : values) {
            if (!value.isTensor()) saved->symints.push_back(value);
            else if (!value.toTensor().defined()) tensors.emplace_back();
            else if (overwritten.contains(storageOf(value.toTensor()))) tensors.push_back(value.toTensor().clone());
            else tensors.push_back(value.toTensor().detach());
        }
        std::vector<c10::IValue> visible = state.returned;
        visible.insert(visible.end(), state.inputs.begin(), state.inputs.end());
        shareVersions(visible, tensors);
        for (const at::Tensor& tensor : tensors) saved->tensors.emplace_back(tensor, false);
        return saved;
    }

    static variable_list backward(AutogradContext* ctx, variable_list tangents) {
        const auto holder = ctx->saved_data.at("saved").toCapsule();
        auto& saved = static_cast<SavedState&>(*holder);
        const CompiledFunction& function = *saved.function;
        std::vector<c10::IValue> args = saved.take();
        const auto& expected = saved.tangents;
        check(tangents.size() == expected.size(), "the backward gets one tangent for each differentiable return");
        for (const std::size_t i : saved.refusedTangents)
            if (tangents[i].defined())
                throw Error(
                    "a gradient is asked of a value that the model has overwritten parts of after its backward "
                    "came to need them, as in x.mul_(x); eager cannot compute it either: write into a copy");
        for (std::size_t i = 0; i < tangents.size(); ++i)
            args.emplace_back(tangents[i].defined() ? withStrides(tangents[i].detach(), expected[i])
                                                    : zeroTangent(expected[i]));

        std::vector<c10::IValue> results;
        {
            const at::NoGradGuard noGrad;
            results = function.backward().run(args, saved.observers.backward);
        }
        variable_list gradients{at::Tensor()};  // for the state argument
        for (std::size_t i = 0; i < results.size(); ++i)
            if (function.parts_.graphMetadata.inputs[i].tensor)
                gradients.push_back(results[i].isTensor() ? results[i].toTensor() : at::Tensor());
        if (!c10::GradMode::is_enabled()) return gradients;
        // create_graph: the gradients may be used, but not differentiated again. Only values that require a gradient
        // themselves lead on to the node that says so.
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

CompiledFunction::CompiledFunction(CompiledParts parts) : parts_(std::move(parts)) {
    forward_ = compile(*parts_.forward);
}

std::shared_ptr<const CompiledGraph> CompiledFunction::compile(const Graph& graph) const {
    auto compiled = parts_.compiler->compile(graph, parts_.constants);
    return parts_.captureOn ? captured(std::move(compiled), graph, *parts_.captureOn) : compiled;
}

const CompiledGraph& CompiledFunction::backward() const {
    std::call_once(backwardOnce_, [this] { backward_ = compile(*parts_.backward); });
    return *backward_;
}

std::shared_ptr<const CompiledFunction> CompiledFunction::make(CompiledParts parts) {
    return std::shared_ptr<const CompiledFunction>(new CompiledFunction(std::move(parts)));
}

std::optional<std::string> CompiledFunction::failedGuard(const std::vector<c10::IValue>& leaves) const {
    if (leaves.size() != parts_.metadata.inputs.size())
        return "the compiled function takes " + std::to_string(parts_.metadata.inputs.size()) + " inputs, " +
               std::to_string(leaves.size()) + " were given";
    if (auto reason = parts_.sizes->failed(leaves)) return reason;
    if (auto reason = failedGradMode(leaves)) return reason;
    if (const auto now = AutocastState::current(); !(now == parts_.autocast))
        return "autocast is " + now.text() + ", it was " + parts_.autocast.text() + " when it was compiled";
    if (auto reason = failedAliasing(parts_.metadata, leaves)) return reason;
    return failedInputs(leaves);
}

std::optional<std::string> CompiledFunction::failedGradMode(const std::vector<c10::IValue>& leaves) const {
    const bool on = c10::GradMode::is_enabled();
    if (!on && parts_.metadata.needsAutograd)
        return "gradients are switched off, which they were not when it was compiled";
    const auto differentiable = [](const c10::IValue& leaf) {
        return leaf.isTensor() && leaf.toTensor().requires_grad();
    };
    if (on && !parts_.metadata.gradMode && std::any_of(leaves.begin(), leaves.end(), differentiable))
        return "gradients are asked for, which they were not when it was compiled";
    return std::nullopt;
}

/// What the graph gets instead of the arguments: the memory behind them may have another size than they tell, and the
/// program may have read their data.
std::optional<std::string> CompiledFunction::failedInputs(const std::vector<c10::IValue>& leaves) const {
    const CallingConvention& convention = parts_.metadata.convention;
    if (!convention.hasSyntheticBases() && !parts_.guards) return std::nullopt;
    const SymbolValues values = parts_.sizes->bind(leaves);
    const std::vector<c10::IValue> inputs = packArguments(convention, leaves);
    for (std::size_t i = 0; i < inputs.size() && convention.inputs[i].syntheticBase; ++i) {
        const TensorType expected = parts_.graphMetadata.inputs[i].tensor->at(values),
                         found = typeOf(inputs[i].toTensor());
        if (found.sizes != expected.sizes || found.strides != expected.strides || found.dtype != expected.dtype)
            return "the " + parts_.graphMetadata.inputs[i].name + " is " + printTensorType(found) + ", " +
                   printTensorType(expected) + " is expected";
    }
    return parts_.guards ? parts_.guards->failed(inputs) : std::nullopt;
}

std::vector<c10::IValue> CompiledFunction::operator()(const std::vector<c10::IValue>& leaves) const {
    if (const auto reason = failedGuard(leaves))
        throw Error("the inputs do not fit what was compiled (" + *reason + "); compile for these inputs");
    return run(leaves, {});
}

std::vector<c10::IValue> CompiledFunction::run(const std::vector<c10::IValue>& leaves, Observers observers) const {
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        const InputInfo& input = parts_.metadata.inputs[i];
        if (input.turnsDifferentiable()) leaves[i].toTensor().set_requires_grad(true);
        // Written to with nothing to show for it (squeeze_ without effect). Before the graph saves it for the backward.
        if (input.tensor && input.countsAsWritten && input.mutation == MutationType::notMutated)
            torch::autograd::impl::bump_version(leaves[i].toTensor());
    }
    const auto runAt = [&](const FunctionMetadata& function, const FunctionMetadata& graph) {
        const std::vector<c10::IValue> inputs = packArguments(function.convention, leaves);
        const std::vector<c10::IValue> returned =
            graph.needsAutograd ? runTraining(graph, inputs, observers) : runInference(inputs, observers);
        return finishForward({function, graph, leaves, inputs, returned}, parts_.outputViews);
    };
    if (!parts_.sizes->dynamic()) return runAt(parts_.metadata, parts_.graphMetadata);
    const SymbolValues values = parts_.sizes->bind(leaves);
    return runAt(parts_.metadata.at(values), parts_.graphMetadata.at(values));
}

std::vector<c10::IValue> CompiledFunction::runInference(const std::vector<c10::IValue>& inputs,
                                                        Observers observers) const {
    const at::NoGradGuard noGrad;
    std::vector<c10::IValue> args = withoutGradients(parts_.graphMetadata, inputs);
    std::vector<c10::IValue> returned = forward_->run(args, observers.forward);
    bumpVersions(parts_.graphMetadata, inputs);
    return returned;
}

std::vector<c10::IValue> CompiledFunction::runTraining(const FunctionMetadata& metadata,
                                                       const std::vector<c10::IValue>& inputs,
                                                       Observers observers) const {
    ForwardState state{shared_from_this(), metadata, observers, inputs, {}};
    const at::AutoGradMode grad(true);
    variable_list tensors;
    for (const auto& input : inputs)
        if (input.isTensor()) tensors.push_back(input.toTensor());
    const variable_list tracked = CompiledBackward::apply(&state, at::TensorList(tensors));
    const auto mask = metadata.tangentMask();
    std::size_t next = 0;
    for (std::size_t i = 0; i < mask.size(); ++i)
        if (mask[i]) state.returned[i] = tracked[next++];
    return std::move(state.returned);
}

}  // namespace aotscope
