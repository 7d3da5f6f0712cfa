#include "verify/judge/arithmetic.h"

#include "aten/tensors.h"
#include "support/error.h"
#include "verify/judge/rounding_noise.h"
#include "verify/judge/wide_run.h"

#include <ATen/core/grad_mode.h>
#include <c10/core/AutogradState.h>

#include <unordered_set>

namespace aotscope {

std::unique_ptr<RandomRulesHandler> makeHandler(const Arithmetic& arithmetic, const Options& options) {
    switch (arithmetic.kind) {
        case Arithmetic::Kind::own: return std::make_unique<RandomRulesHandler>(options);
        case Arithmetic::Kind::noise: return std::make_unique<RoundingNoise>(options, arithmetic);
        case Arithmetic::Kind::wide: return std::make_unique<WideRun>(options);
    }
    return nullptr;
}

ArithmeticScope::ArithmeticScope(const Arithmetic& arithmetic, const Options& options) {
    if (arithmetic.kind == Arithmetic::Kind::own) return;
    handler_ = makeHandler(arithmetic, options);
    scope_.emplace(*handler_);
    c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
}

std::vector<c10::IValue> argumentsFor(const Arithmetic& arithmetic, const std::vector<c10::IValue>& values) {
    if (arithmetic.kind != Arithmetic::Kind::wide) return values;
    const at::NoGradGuard noGrad;
    std::vector<c10::IValue> wide;
    for (const c10::IValue& value : values)
        wide.push_back(mapTensors(value, [](const at::Tensor& t) { return t.defined() ? widened(t) : t; }));
    return wide;
}

void prepareLeaves(const Arithmetic& arithmetic, const std::vector<c10::IValue>& leaves) {
    if (arithmetic.kind != Arithmetic::Kind::wide) return;
    std::unordered_set<const c10::TensorImpl*> seen;
    std::unordered_set<const c10::StorageImpl*> storages;
    for (const c10::IValue& leaf : leaves) {
        if (!isTensor(leaf)) continue;
        at::Tensor tensor = leaf.toTensor();
        if (!isNarrow(tensor) || !seen.insert(tensor.unsafeGetTensorImpl()).second) continue;
        if (tensor.grad_fn() || !storages.insert(storageOf(tensor)).second)
            throw Error("arguments that share memory, or were computed, have no float64 twins");
        tensor.set_data(widened(tensor.detach()));
    }
}

}  // namespace aotscope
