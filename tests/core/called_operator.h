// Calls of operators that are registered at run time.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <utility>
#include <vector>

namespace aotscope::test {

inline c10::OperatorHandle op(const char* name) { return c10::Dispatcher::singleton().findSchemaOrThrow(name, ""); }

inline at::Tensor called(const char* name, std::vector<c10::IValue> arguments) {
    torch::jit::Stack stack(std::move(arguments));
    op(name).callBoxed(stack);
    return stack.at(0).toTensor();
}

}  // namespace aotscope::test
