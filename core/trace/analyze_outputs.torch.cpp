#include "trace/analyze_outputs.h"

#include "aten/convert.h"
#include "aten/tensors.h"
#include "ir/output_names.h"
#include "support/error.h"
#include "trace/views/view_history.h"

#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

namespace {

at::FunctionalTensorWrapper* wrapperOf(const at::Tensor& t) {
    namespace fi = at::functionalization::impl;
    return t.defined() && fi::isFunctionalTensor(t) ? fi::unsafeGetFunctionalWrapper(t) : nullptr;
}

/// Whether a gradient at `from` flows on to `target`.
bool leadsTo(const torch::autograd::Node* from, const at::Tensor& target) {
    const auto end = torch::autograd::impl::gradient_edge(target).function;
    std::unordered_set<const torch::autograd::Node*> seen;
    std::vector<const torch::autograd::Node*> open = {from};
    while (!open.empty()) {
        const auto* node = open.back();
        open.pop_back();
        if (!node || !seen.insert(node).second) continue;
        if (node == end.get()) return true;
        for (const auto& edge : node->next_edges()) open.push_back(edge.function.get());
    }
    return false;
}

/// Everything about the other outputs that is needed to classify one.
class OutputAnalysis {
public:
    OutputAnalysis(const std::vector<bool>& written, const std::vector<c10::IValue>& inputs,
                   const std::vector<c10::IValue>& outputs, const ForwardTrace& asWritten)
        : written_(written), inputs_(inputs), outputs_(outputs), asWritten_(asWritten) {
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (inputs[i].isTensor()) inputOfStorage_[storageOf(inputs[i].toTensor())] = i;
        for (const auto& output : outputs) {
            if (!isTensor(output)) continue;
            const at::Tensor& t = output.toTensor();
            ++aliases_[storageOf(t)];
            if (auto* wrapper = wrapperOf(t); wrapper && wrapper->is_multi_output_view())
                ++multiOutputViews_[storageOf(t)];
        }
    }

    OutputInfo classify(std::size_t index, const std::string& name) {
        const c10::IValue& output = outputs_[index];
        OutputInfo info;
        info.name = name;
        info.isTensor = isTensor(output);
        if (!info.isTensor) return info;
        const at::Tensor& t = output.toTensor();
        refuseDetachedBase(t, outputText(name, index));
        // Reading a view's history replays it on a base that was written to: only if it has a history.
        const bool hasGradFn = at::GradMode::is_enabled() && t.grad_fn() != nullptr;
        info.requiresGrad = t.requires_grad();
        info.requiresGradForBackward = info.requiresGrad && (!isView(t) || hasGradFn);
        info.repeats = firstThatIs(t, index);
        info.tensor = typeOf(t);
        info.tensor->requiresGrad = info.requiresGrad;
        decideType(info, index, hasGradFn);
        return info;
    }

private:
    static bool isView(const at::Tensor& t) { return t.is_view(); }

    static void refuseDetachedBase(const at::Tensor& t, const std::string& what) {
        if (!isCutFromBase(t)) return;
        throw Error("the model detaches a tensor in place (detach_) that " + what +
                    " is a view of, after which gradients depend on later writes; use detach(), which makes a new one");
    }

    /// Created by a custom autograd function, whose backward only the graph has.
    static bool isCustomFunctionView(const at::Tensor& t) {
        const auto* view = torch::autograd::impl::get_view_autograd_meta(t);
        return view && view->get_creation_meta() == torch::autograd::CreationMeta::IN_CUSTOM_FUNCTION;
    }

    void decideType(OutputInfo& info, std::size_t index, bool hasGradFn) {
        const at::Tensor& t = outputs_[index].toTensor();
        const auto* storage = storageOf(t);
        auto* wrapper = wrapperOf(t);
        const bool storageChanged = wrapper && wrapper->was_storage_changed();
        auto input = inputOfStorage_.find(storage);
        if (input != inputOfStorage_.end() && !reallyShare(asWritten_.after[input->second], asWritten_.results[index]))
            input = inputOfStorage_.end();
        if (input != inputOfStorage_.end() && hasGradFn && isCustomFunctionView(t)) {
            info.type = OutputType::customFunctionView;
            return;
        }
        const int notMultiOutput = aliases_[storage] - multiOutputViews_[storage];

        if (input != inputOfStorage_.end() && (!storageChanged || isInput(t, input->second))) {
            // Views from one multi-output operation cannot be mutated by the user: their aliasing may remain hidden,
            // unless they view an input that gets its updated value only afterwards.
            if (!storageChanged && hasGradFn && notMultiOutput == 0 && !written_[input->second]) return;
            info.type = isInput(t, input->second) ? OutputType::isInput : OutputType::aliasOfInput;
            info.base = input->second;
            if (!hasGradFn || info.type != OutputType::aliasOfInput) return;
            info.ownHistory = !baseOf(t).is_same(baseOf(inputs_[input->second].toTensor()));
            info.severed = !info.ownHistory && !leadsTo(t.grad_fn().get(), inputs_[input->second].toTensor());
            return;
        }
        if (isView(t) && info.requiresGrad && t._base().requires_grad())
            return decideViewOfIntermediate(info, t, hasGradFn, notMultiOutput);
        if (aliases_[storage] > 1 && !info.requiresGrad)
            if (auto twin = differentiableTwin(t)) {
                // (out, out.detach()): the second is regenerated from the first.
                info.type = OutputType::aliasOfIntermediateBaseIsUserOutput;
                info.base = twin;
                info.sameAsBase = true;
            }
    }

    void decideViewOfIntermediate(OutputInfo& info, const at::Tensor& t, bool hasGradFn, int notMultiOutput) {
        if (aliases_[storageOf(t)] == 1 || notMultiOutput <= 1) {
            info.type = OutputType::unsafeViewAlias;
            return;
        }
        const at::Tensor base(t._base());
        info.severed = hasGradFn && !leadsTo(t.grad_fn().get(), base);
        for (std::size_t i = outputs_.size(); i-- > 0;)
            if (isTensor(outputs_[i]) && outputs_[i].toTensor().is_same(base)) {
                info.type = OutputType::aliasOfIntermediateBaseIsUserOutput;
                info.base = i;
                return;
            }
        const auto known =
            std::find_if(bases_.begin(), bases_.end(), [&](const at::Tensor& b) { return b.is_same(base); });
        info.base = static_cast<std::size_t>(known - bases_.begin());
        info.type =
            known == bases_.end() ? OutputType::aliasOfIntermediateSaveAsOutput : OutputType::aliasOfIntermediate;
        if (known == bases_.end()) bases_.push_back(base);
    }

    bool isInput(const at::Tensor& t, std::size_t input) const { return inputs_[input].toTensor().is_same(t); }

    std::optional<std::size_t> firstThatIs(const at::Tensor& t, std::size_t limit) const {
        for (std::size_t i = 0; i < limit; ++i)
            if (isTensor(outputs_[i]) && outputs_[i].toTensor().is_same(t) &&
                reallyShare(asWritten_.results[i], asWritten_.results[limit]))
                return i;
        return std::nullopt;
    }

    static bool reallyShare(const std::optional<TensorType>& a, const std::optional<TensorType>& b) {
        return !a || !b || a->storage == b->storage;
    }

    /// Another output with the same memory and layout that requires grad.
    std::optional<std::size_t> differentiableTwin(const at::Tensor& t) const {
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            if (!isTensor(outputs_[i])) continue;
            const at::Tensor& o = outputs_[i].toTensor();
            if (!o.is_same(t) && o.requires_grad() && storageOf(o) == storageOf(t) && o.sizes() == t.sizes() &&
                o.strides() == t.strides() && o.storage_offset() == t.storage_offset() && o.is_conj() == t.is_conj() &&
                o.is_neg() == t.is_neg())
                return i;
        }
        return std::nullopt;
    }

    const std::vector<bool>& written_;
    const std::vector<c10::IValue>& inputs_;
    const std::vector<c10::IValue>& outputs_;
    const ForwardTrace& asWritten_;
    std::unordered_map<const c10::StorageImpl*, std::size_t> inputOfStorage_;
    std::unordered_map<const c10::StorageImpl*, int> aliases_, multiOutputViews_;
    std::vector<at::Tensor> bases_;
};

}  // namespace

std::vector<OutputInfo> analyzeOutputs(const std::vector<bool>& written, const std::vector<c10::IValue>& inputs,
                                       const std::vector<c10::IValue>& outputs, const ForwardTrace& asWritten,
                                       const std::vector<std::string>& names) {
    OutputAnalysis analysis(written, inputs, outputs, asWritten);
    std::vector<OutputInfo> infos;
    for (std::size_t i = 0; i < outputs.size(); ++i) infos.push_back(analysis.classify(i, names.at(i)));
    return infos;
}

}  // namespace aotscope
