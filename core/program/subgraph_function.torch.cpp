#include "program/subgraph_function.h"

#include "aten/tensors.h"

#include <algorithm>

namespace aotscope {

c10::IValue toIValue(c10::intrusive_ptr<SubgraphFunction> function) {
    return c10::IValue::make_capsule(std::move(function));
}

c10::intrusive_ptr<const SubgraphFunction> subgraphFunction(const c10::IValue& value) {
    if (!value.isCapsule()) return {};
    auto* function = dynamic_cast<const SubgraphFunction*>(value.toCapsule().get());
    return c10::intrusive_ptr<const SubgraphFunction>::reclaim_copy(function);
}

std::vector<at::Tensor> runStep(const SubgraphFunction& function, const std::vector<at::Tensor>& operands,
                                LocationSink* sink) {
    std::vector<at::Tensor> results = function.run(operands, sink);
    for (at::Tensor& result : results) {
        const auto shares = [&](const at::Tensor& operand) { return storageOf(operand) == storageOf(result); };
        if (std::any_of(operands.begin(), operands.end(), shares)) result = result.clone();
    }
    return results;
}

}  // namespace aotscope
