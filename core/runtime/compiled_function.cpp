#include "runtime/compiled_function.h"

#include "support/error.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/AutogradState.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/functions/basic_ops.h>

#include <unordered_set>

namespace aotscope {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

/// What travels from CompiledBackward::forward to the caller beside the differentiable outputs.
struct ForwardState {
    std::shared_ptr<const CompiledFunction> function;
    CompiledFunction::Observers observers;
    const std::vector<c10::IValue>* leaves = nullptr;
    std::vector<c10::IValue>
        returned;  ///< forward returns; those given to autograd are replaced by their tracked twins
};

const c10::StorageImpl* storageOf(const at::Tensor& t) {
    return t.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
}

/// Keeps a function alive as long as an autograd graph may call its backward.
struct FunctionCapsule final : torch::CustomClassHolder {
    FunctionCapsule(std::shared_ptr<const CompiledFunction> f, CompiledFunction::Observers o)
        : function(std::move(f)), observers(o) {}
    std::shared_ptr<const CompiledFunction> function;
    CompiledFunction::Observers observers;
};

/// Gives `saved` the version counter of the tensor it shares memory with, so that autograd notices when a user
/// overwrites that memory before the backward.
void shareVersions(const std::vector<c10::IValue>& visible, const std::vector<at::Tensor>& saved) {
    std::unordered_map<const c10::StorageImpl*, const at::Tensor*> owners;
    for (const auto& value : visible)
        if (value.isTensor() && value.toTensor().defined())
            owners.emplace(storageOf(value.toTensor()), &value.toTensor());
    for (const at::Tensor& t : saved) {
        const auto it = owners.find(storageOf(t));
        if (it == owners.end() || it->second->is_same(t)) continue;
        t.unsafeGetTensorImpl()->set_version_counter(torch::autograd::impl::version_counter(*it->second));
    }
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
        const FunctionMetadata& metadata = function.parts_.metadata;
        std::vector<c10::IValue> args = *state->leaves;
        for (auto& arg : args)
            if (arg.isTensor() && arg.toTensor().requires_grad()) arg = arg.toTensor().detach();
        std::vector<c10::IValue> results = function.forward_->run(args, state->observers.forward);
        const auto count = static_cast<std::ptrdiff_t>(metadata.forwardReturns());
        check(results.size() >= metadata.forwardReturns(), "the forward graph returned too few values");

        state->returned.assign(results.begin(), results.begin() + count);
        saveForBackward(ctx, *state, {results.begin() + count, results.end()});
        ctx->saved_data["function"] =
            c10::IValue::make_capsule(c10::make_intrusive<FunctionCapsule>(state->function, state->observers));

        variable_list tracked;
        const auto mask = metadata.tangentMask();
        for (std::size_t i = 0; i < mask.size(); ++i)
            if (mask[i]) tracked.push_back(state->returned[i].toTensor());
        return tracked;
    }

    /// Saved values that are inputs are saved as the caller's own tensors, whose version autograd checks; those
    /// that the epilogue overwrites are copied.
    static void saveForBackward(AutogradContext* ctx, const ForwardState& state,
                                const std::vector<c10::IValue>& saved) {
        std::unordered_map<const c10::StorageImpl*, std::vector<const at::Tensor*>> inputs;
        for (const auto& leaf : *state.leaves)
            if (leaf.isTensor() && leaf.toTensor().defined())
                inputs[storageOf(leaf.toTensor())].push_back(&leaf.toTensor());
        std::unordered_set<const c10::StorageImpl*> overwritten;
        for (auto i : state.function->parts_.metadata.mutatedInputIndices())
            if (state.function->parts_.metadata.inputs[i].mutatesData)
                overwritten.insert(storageOf((*state.leaves)[i].toTensor()));
        variable_list tensors;
        std::vector<c10::IValue> others;
        for (const auto& value : saved) {
            if (!value.isTensor()) {
                others.push_back(value);
                continue;
            }
            tensors.push_back(value.toTensor());
            if (overwritten.contains(storageOf(tensors.back()))) {
                tensors.back() = tensors.back().clone();
                continue;
            }
            for (const at::Tensor* input : inputs[storageOf(tensors.back())])
                if (input->sizes() == tensors.back().sizes() && input->strides() == tensors.back().strides() &&
                    input->storage_offset() == tensors.back().storage_offset() &&
                    input->dtype() == tensors.back().dtype())
                    tensors.back() = *input;
        }
        std::vector<c10::IValue> visible = state.returned;
        visible.insert(visible.end(), state.leaves->begin(), state.leaves->end());
        shareVersions(visible, tensors);
        ctx->save_for_backward(std::move(tensors));
        ctx->saved_data["symints"] = c10::ivalue::Tuple::create(std::move(others));
    }

    static variable_list backward(AutogradContext* ctx, variable_list tangents) {
        const auto holder = ctx->saved_data.at("function").toCapsule();
        const auto& capsule = static_cast<const FunctionCapsule&>(*holder);
        const CompiledFunction& function = *capsule.function;
        std::vector<c10::IValue> args = ctx->saved_data.at("symints").toTupleRef().elements().vec();
        for (auto& tensor : ctx->get_saved_variables()) args.emplace_back(tensor.detach());
        const auto& expected = function.parts_.metadata.tangents;
        check(tangents.size() == expected.size(), "the backward gets one tangent for each differentiable return");
        for (std::size_t i = 0; i < tangents.size(); ++i)
            args.emplace_back(withStrides(tangents[i].detach(), expected[i]));

        std::vector<c10::IValue> results;
        {
            const at::NoGradGuard noGrad;
            results = function.backward().run(args, capsule.observers.backward);
        }
        variable_list gradients{at::Tensor()};  // for the state argument
        for (std::size_t i = 0; i < results.size(); ++i)
            if (function.parts_.metadata.inputs[i].tensor)
                gradients.push_back(results[i].isTensor() ? results[i].toTensor() : at::Tensor());
        if (!c10::GradMode::is_enabled()) return gradients;
        // create_graph: the gradients may be used, but not differentiated again.
        torch::autograd::DelayedError refuse(
            "a compiled backward cannot be differentiated again (double backward); run the model eagerly for second "
            "derivatives",
            static_cast<int64_t>(gradients.size()));
        return refuse.apply(std::move(gradients));
    }
};

CompiledFunction::CompiledFunction(CompiledParts parts) : parts_(std::move(parts)) {
    forward_ = parts_.compiler->compile(*parts_.forward, parts_.constants);
}

const CompiledGraph& CompiledFunction::backward() const {
    std::call_once(backwardOnce_, [this] { backward_ = parts_.compiler->compile(*parts_.backward, parts_.constants); });
    return *backward_;
}

std::shared_ptr<const CompiledFunction> CompiledFunction::make(CompiledParts parts) {
    return std::shared_ptr<const CompiledFunction>(new CompiledFunction(std::move(parts)));
}

std::vector<c10::IValue> CompiledFunction::run(const std::vector<c10::IValue>& leaves, Observers observers) const {
    if (leaves.size() != parts_.metadata.inputs.size())
        throw Error("the compiled function takes " + std::to_string(parts_.metadata.inputs.size()) + " inputs, " +
                    std::to_string(leaves.size()) + " were given");
    return parts_.metadata.needsAutograd ? runTraining(leaves, observers) : runInference(leaves, observers);
}

std::vector<c10::IValue> CompiledFunction::runInference(const std::vector<c10::IValue>& leaves,
                                                        Observers observers) const {
    std::vector<c10::IValue> returned;
    {
        const at::NoGradGuard noGrad;
        std::vector<c10::IValue> args = leaves;
        for (auto& arg : args)
            if (arg.isTensor() && arg.toTensor().requires_grad()) arg = arg.toTensor().detach();
        returned = forward_->run(args, observers.forward);
    }
    return finishForward(parts_.metadata, parts_.outputViews, leaves, returned);
}

std::vector<c10::IValue> CompiledFunction::runTraining(const std::vector<c10::IValue>& leaves,
                                                       Observers observers) const {
    ForwardState state{shared_from_this(), observers, &leaves, {}};
    {
        const at::AutoGradMode grad(true);
        variable_list inputs;
        for (const auto& leaf : leaves)
            if (leaf.isTensor()) inputs.push_back(leaf.toTensor());
        const variable_list tracked = CompiledBackward::apply(&state, at::TensorList(inputs));
        const auto mask = parts_.metadata.tangentMask();
        std::size_t next = 0;
        for (std::size_t i = 0; i < mask.size(); ++i)
            if (mask[i]) state.returned[i] = tracked[next++];
    }
    return finishForward(parts_.metadata, parts_.outputViews, leaves, state.returned);
}

}  // namespace aotscope
