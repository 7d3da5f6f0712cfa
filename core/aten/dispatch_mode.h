#pragma once

#include <ATen/ThreadLocalState.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/core/impl/PythonDispatcherTLS.h>

namespace aotscope {

/// Receives every operation that LibTorch dispatches on a thread during the lifetime of a DispatchScope.
class DispatchHandler {
public:
    virtual ~DispatchHandler() = default;

    /// Called for an operation below autograd and functionalization. Its arguments are on top of `stack`; the handler
    /// replaces them with the results. Autocast is hidden from it: see AutocastOfCall.
    virtual void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) = 0;

    /// Called before an operation enters autograd, the first of `keys`. Returns true if the handler has replaced the
    /// arguments with the results.
    virtual bool intercept(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack) = 0;
};

/// Sends the dispatches of the current thread to `handler` during its lifetime, through the two hooks that LibTorch
/// offers to an embedded interpreter: a torch-dispatch mode and the interpreter's own dispatcher. Restores the thread's
/// dispatch state.
class DispatchScope {
public:
    explicit DispatchScope(DispatchHandler& handler);
    ~DispatchScope();
    DispatchScope(const DispatchScope&) = delete;
    DispatchScope& operator=(const DispatchScope&) = delete;

private:
    at::ThreadLocalState before_;
};

/// Disables the handler, autograd and functionalization: code in this scope runs plain kernels.
class PlainKernelScope {
    c10::impl::ExcludeDispatchKeyGuard keys_{
        c10::autograd_dispatch_keyset_with_ADInplaceOrView |
        c10::DispatchKeySet(
            {c10::DispatchKey::Functionalize, c10::DispatchKey::Python, c10::DispatchKey::PythonTLSSnapshot})};
    c10::impl::DisablePythonDispatcher dispatcher_;
};

/// In DispatchHandler::dispatch(): restores, during its lifetime, the autocast state in which the operation was called.
class AutocastOfCall {
public:
    AutocastOfCall();

private:
    c10::impl::ForceDispatchKeyGuard keys_;
};

/// In DispatchHandler::dispatch(): runs the operation as if there were no handler.
void runPlainKernel(const c10::OperatorHandle& op, torch::jit::Stack& stack);

}  // namespace aotscope
