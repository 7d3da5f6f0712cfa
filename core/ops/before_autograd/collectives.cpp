// Collectives that write into their arguments. PyTorch cannot trace them; here they are the functional ones and a copy.

#include "ops/before_autograd/rules.h"
#include "ops/decomposition_support.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace aotscope {

namespace {

using namespace rules;

c10::IValue callFunctional(const char* name, torch::jit::Stack arguments) {
    const std::string full = std::string("_c10d_functional::") + name;
    c10::Dispatcher::singleton().findSchemaOrThrow(full.c_str(), "").callBoxed(arguments);
    return arguments.back();
}

Tensor afterWait(const c10::IValue& result) { return callFunctional("wait_tensor", {result}).toTensor(); }

Tensor allReduce(const Tensor& input, const std::string& reduction, const c10::IValue& group) {
    return input.copy_(afterWait(callFunctional("all_reduce", {input, reduction, group})));
}

std::vector<Tensor> allReduceList(const std::vector<Tensor>& inputs, const std::string& reduction,
                                  const c10::IValue& group) {
    const auto results = callFunctional("all_reduce_coalesced", {inputs, reduction, group}).toTensorVector();
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i].copy_(afterWait(results[i]));
    return inputs;
}

Tensor broadcastFrom(const Tensor& input, std::int64_t source, const c10::IValue& group) {
    return input.copy_(afterWait(callFunctional("broadcast", {input, source, group})));
}

Tensor allGather(const Tensor& input, std::int64_t count, const c10::IValue& group, const Tensor& out) {
    return out.copy_(afterWait(callFunctional("all_gather_into_tensor", {input, count, group})));
}

Tensor reduceScatter(const Tensor& input, const std::string& reduction, std::int64_t count, const c10::IValue& group,
                     const Tensor& out) {
    return out.copy_(afterWait(callFunctional("reduce_scatter_tensor", {input, reduction, count, group})));
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
