#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>

namespace aotscope {

/// The operator "shop::scale_.functional", which computes what `op` computes and writes nothing: it runs `op` on copies
/// of the arguments that `op` writes to, and returns the results of `op` that are not such arguments, then the copies.
/// Registered at the first call, for the life of the process. PyTorch: auto_functionalized. Throws Error for operators
/// without such a form: those that return views, or several results including a list.
c10::OperatorHandle functionalForm(const c10::OperatorHandle& op);

/// The functional form with this name; nothing if there is no operator behind it.
std::optional<c10::OperatorHandle> findFunctionalForm(const c10::OperatorName& name);

/// Lets LibTorch's functionalization run the functional form of `op` instead of rejecting `op`: for operators outside
/// of ATen whose schema says that they write into arguments.
void makeFunctionalizable(const c10::OperatorHandle& op);

}  // namespace aotscope
