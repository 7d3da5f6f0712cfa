#include "ops/functional_collectives.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <string>

namespace aotscope {

c10::IValue callCollective(const char* name, torch::jit::Stack arguments) {
    const std::string full = std::string("_c10d_functional::") + name;
    c10::Dispatcher::singleton().findSchemaOrThrow(full.c_str(), "").callBoxed(arguments);
    return arguments.back();
}

at::Tensor waited(const c10::IValue& result) { return callCollective("wait_tensor", {result}).toTensor(); }

}  // namespace aotscope
