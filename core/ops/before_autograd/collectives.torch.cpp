// Collectives that write into their arguments. PyTorch cannot trace them; here they are the functional ones and a copy.

#include "ops/before_autograd/rules.h"
#include "ops/decompositions/decomposition_support.h"
#include "ops/functional_collectives.h"

namespace aotscope {

namespace {

using namespace rules;

Tensor allReduce(const Tensor& input, const std::string& reduction, const c10::IValue& group) {
    return input.copy_(waited(callCollective("all_reduce", {input, reduction, group})));
}

std::vector<Tensor> allReduceList(const std::vector<Tensor>& inputs, const std::string& reduction,
                                  const c10::IValue& group) {
    const auto results = callCollective("all_reduce_coalesced", {inputs, reduction, group}).toTensorVector();
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i].copy_(waited(results[i]));
    return inputs;
}

Tensor broadcastFrom(const Tensor& input, std::int64_t source, const c10::IValue& group) {
    return input.copy_(waited(callCollective("broadcast", {input, source, group})));
}

Tensor allGather(const Tensor& input, std::int64_t count, const c10::IValue& group, const Tensor& out) {
    return out.copy_(waited(callCollective("all_gather_into_tensor", {input, count, group})));
}

Tensor reduceScatter(const Tensor& input, const std::string& reduction, std::int64_t count, const c10::IValue& group,
                     const Tensor& out) {
    return out.copy_(waited(callCollective("reduce_scatter_tensor", {input, reduction, count, group})));
}

}  // namespace

std::vector<BeforeAutogradRow> collectivesBeforeAutograd() {
    constexpr bool always = true;
    return {
        {"_c10d_functional.all_reduce_.default", "all_reduce", rule<allReduce>, always},
        {"_c10d_functional.all_reduce_coalesced_.default", "all_reduce_coalesced", rule<allReduceList>, always},
        {"_c10d_functional.broadcast_.default", "broadcast", rule<broadcastFrom>, always},
        {"_c10d_functional.all_gather_into_tensor_out.default", "all_gather_into_tensor", rule<allGather>, always},
        {"_c10d_functional.reduce_scatter_tensor_out.default", "reduce_scatter_tensor", rule<reduceScatter>, always},
    };
}

}  // namespace aotscope
