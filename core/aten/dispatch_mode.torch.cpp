#include "aten/dispatch_mode.h"

#include "support/error.h"

#include <c10/core/impl/PyInterpreter.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>

namespace aotscope {

namespace {

using c10::impl::PyInterpreter;

/// The autocast keys that were disabled when the last operation was called.
thread_local c10::DispatchKeySet autocastOff = c10::autocast_dispatch_keyset;

void noteAutocast() { autocastOff = c10::impl::tls_local_dispatch_key_set().excluded_ & c10::autocast_dispatch_keyset; }

/// The interpreter that LibTorch believes to be embedded. It owns no objects, so reference counts do nothing;
/// hooks for tensor subclasses are never reached, since no tensor of ours carries an interpreter.
class Interpreter final : public c10::impl::PyInterpreterVTable {
public:
    std::string name() const override { return "aotscope"; }
    void incref(PyObject*) const override {}
    void decref(PyObject*) const override {}
    bool try_incref(const c10::impl::PyObjectSlot&) const override { return false; }
    size_t refcnt(PyObject*) const override { return 1; }
    /// Empty: LibTorch then makes its usual shallow copy.
    c10::intrusive_ptr<c10::TensorImpl> detach(const c10::TensorImpl*) const override { return {}; }

    void dispatch(const c10::OperatorHandle& op, torch::jit::Stack* stack) const override {
        handler().dispatch(op, *stack);
    }
    void python_dispatcher(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                           torch::jit::Stack* stack) const override {
        if (handler().intercept(op, keys, *stack)) return;
        noteAutocast();
        op.redispatchBoxed(keys, stack);
    }

    void reportErrorCallback(PyObject*, c10::DispatchKey) const override { unreachable(__func__); }
    void python_op_registration_trampoline(const c10::OperatorHandle&, c10::DispatchKey, c10::DispatchKeySet,
                                           torch::jit::Stack*, bool, bool) const override {
        unreachable(__func__);
    }
    void throw_abstract_impl_not_imported_error(std::string op, const char*, const char*) const override {
        throw Error("operator '" + op + "' has no kernel in this program; load the library that defines it");
    }
    bool is_contiguous(const c10::TensorImpl*, at::MemoryFormat) const override { unreachable(__func__); }
    c10::SymBool sym_is_contiguous(const c10::TensorImpl*, at::MemoryFormat) const override { unreachable(__func__); }
    bool is_strides_like(const c10::TensorImpl*, at::MemoryFormat) const override { unreachable(__func__); }
    bool is_non_overlapping_and_dense(const c10::TensorImpl*) const override { unreachable(__func__); }
    c10::Device device(const c10::TensorImpl*) const override { unreachable(__func__); }
    int64_t dim(const c10::TensorImpl*) const override { unreachable(__func__); }
    c10::IntArrayRef strides(const c10::TensorImpl*) const override { unreachable(__func__); }
    c10::IntArrayRef sizes(const c10::TensorImpl*) const override { unreachable(__func__); }
    c10::SymIntArrayRef sym_sizes(const c10::TensorImpl*) const override { unreachable(__func__); }
    c10::Layout layout(const c10::TensorImpl*) const override { unreachable(__func__); }
    int64_t numel(const c10::TensorImpl*) const override { unreachable(__func__); }
    c10::SymInt sym_numel(const c10::TensorImpl*) const override { unreachable(__func__); }
    c10::SymIntArrayRef sym_strides(const c10::TensorImpl*) const override { unreachable(__func__); }
    c10::SymInt sym_storage_offset(const c10::TensorImpl*) const override { unreachable(__func__); }
    void trace_gpu_event_creation(c10::DeviceType, uintptr_t) const override {}
    void trace_gpu_event_deletion(c10::DeviceType, uintptr_t) const override {}
    void trace_gpu_event_record(c10::DeviceType, uintptr_t, uintptr_t) const override {}
    void trace_gpu_event_wait(c10::DeviceType, uintptr_t, uintptr_t) const override {}
    void trace_gpu_memory_allocation(c10::DeviceType, uintptr_t) const override {}
    void trace_gpu_memory_deallocation(c10::DeviceType, uintptr_t) const override {}
    void trace_gpu_stream_creation(c10::DeviceType, uintptr_t) const override {}
    void trace_gpu_device_synchronization(c10::DeviceType) const override {}
    void trace_gpu_stream_synchronization(c10::DeviceType, uintptr_t) const override {}
    void trace_gpu_event_synchronization(c10::DeviceType, uintptr_t) const override {}
    void reset_backward_hooks(const c10::TensorImpl*) const override {}

    static PyInterpreter* instance() {
        static const Interpreter table;
        static PyInterpreter interpreter(&table);
        return &interpreter;
    }

private:
    [[noreturn]] static void unreachable(const char* hook) {
        throw std::logic_error(std::string("internal error: LibTorch called the interpreter hook ") + hook);
    }

    /// The mode on top of the thread's stack carries the handler where Python keeps an object.
    static DispatchHandler& handler() {
        const auto depth = c10::impl::TorchDispatchModeTLS::stack_len();
        check(depth > 0, "a dispatch without a dispatch scope");
        const auto& mode = c10::impl::TorchDispatchModeTLS::get_stack_at(depth - 1);
        return *reinterpret_cast<DispatchHandler*>(mode->ptr(instance()));
    }
};

}  // namespace

DispatchScope::DispatchScope(DispatchHandler& handler) {
    auto* object = reinterpret_cast<PyObject*>(&handler);
    auto mode = std::make_shared<c10::impl::PyObject_TorchDispatchMode>(object, Interpreter::instance());
    c10::impl::TorchDispatchModeTLS::push_non_infra_mode_onto_stack(std::move(mode));
    c10::impl::PythonDispatcherTLS::set_state(Interpreter::instance());
    noteAutocast();
}

DispatchScope::~DispatchScope() { at::ThreadLocalState::setThreadLocalState(before_); }

AutocastOfCall::AutocastOfCall()
    : keys_(c10::impl::tls_local_dispatch_key_set().included_,
            (c10::impl::tls_local_dispatch_key_set().excluded_ - c10::autocast_dispatch_keyset) | autocastOff) {}

void runPlainKernel(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    const AutocastOfCall autocast;
    const PlainKernelScope plain;
    op.callBoxed(stack);
}

}  // namespace aotscope
