#include "aten/functional_form.h"

#include "aten/overlap.h"
#include "aten/tensors.h"
#include "support/error.h"

#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aotscope {

namespace {

namespace fi = at::functionalization::impl;
using torch::jit::Stack;

constexpr std::string_view kFunctional = "functional";

bool isWritten(const c10::Argument& argument) { return argument.alias_info() && argument.alias_info()->isWrite(); }

bool isList(const c10::Argument& argument) { return argument.type()->kind() == c10::TypeKind::ListType; }

std::string quotedName(const c10::OperatorHandle& op) { return "operator '" + c10::toString(op.operator_name()) + "'"; }

/// The argument that is returned as the result `returned`, "Tensor(a!)".
std::size_t argumentOf(const c10::FunctionSchema& schema, const c10::Argument& returned) {
    const auto& arguments = schema.arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (isWritten(arguments[i]) && arguments[i].alias_info()->beforeSets() == returned.alias_info()->beforeSets())
            return i;
    throw Error("its schema says that it returns an argument that it does not write to");
}

c10::FunctionSchema functionalSchema(const c10::OperatorHandle& op, const std::string& overload) {
    const c10::FunctionSchema& schema = op.schema();
    std::vector<c10::Argument> arguments, returns, written;
    for (const c10::Argument& a : schema.arguments()) {
        arguments.emplace_back(a.name(), a.type(), a.real_type(), a.N(), a.default_value(), a.kwarg_only());
        if (isWritten(a)) written.emplace_back("", a.type());
    }
    for (const c10::Argument& r : schema.returns()) {
        if (!r.alias_info()) returns.emplace_back("", r.type());
        else if (!isWritten(r))
            throw Error(quotedName(op) +
                        " returns a view of its argument, as its schema says, which cannot be made functional; let it "
                        "return a copy");
    }
    returns.insert(returns.end(), written.begin(), written.end());
    if (returns.size() > 1 && std::any_of(returns.begin(), returns.end(), isList))
        throw Error(quotedName(op) +
                    " writes into a list of tensors and has other results, which is not supported; pass the tensors "
                    "one by one");
    c10::FunctionSchema made(schema.name(), overload, std::move(arguments), std::move(returns));
    made.setAliasAnalysis(c10::AliasAnalysisKind::FROM_SCHEMA);
    return made;
}

/// Keeps the strides, gaps included: kernels may depend on them.
at::Tensor copyOf(const at::Tensor& tensor) {
    if (!tensor.defined()) return tensor;
    at::Tensor copy = at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options());
    copy.copy_(tensor);
    return copy;
}

/// The kernel of a functional form.
class OnCopies final : public c10::OperatorKernel {
public:
    explicit OnCopies(const c10::OperatorHandle& original) : original_(original) {}

    void operator()(const c10::OperatorHandle&, c10::DispatchKeySet, Stack* stack) const {
        const at::AutoDispatchBelowADInplaceOrView below;
        const c10::FunctionSchema& schema = original_.schema();
        const std::size_t count = schema.arguments().size();
        Stack call(stack->end() - static_cast<std::ptrdiff_t>(count), stack->end()), copies;
        torch::jit::drop(*stack, count);
        for (std::size_t i = 0; i < count; ++i) {
            if (!isWritten(schema.arguments()[i])) continue;
            call[i] = mapTensors(call[i], copyOf);
            copies.push_back(call[i]);
        }
        original_.callBoxed(call);
        for (std::size_t i = 0; i < call.size(); ++i)
            if (!schema.returns()[i].alias_info()) stack->push_back(call[i]);
        stack->insert(stack->end(), copies.begin(), copies.end());
    }

private:
    c10::OperatorHandle original_;
};

/// Keeps handles of the registered operators: plans and graphs refer to them.
struct Registry {
    std::mutex mutex;
    std::map<std::string, c10::OperatorHandle> forms;  ///< by operator name
    std::vector<c10::RegistrationHandleRAII> handles;

    static Registry& instance() {
        static auto* registry = new Registry;  // outlives the dispatcher's own static objects
        return *registry;
    }
};

/// The first overload name that no library or earlier file uses for another operator.
std::string freeOverload(const c10::OperatorName& name) {
    const std::string wanted =
        name.overload_name.empty() ? std::string(kFunctional) : name.overload_name + "_" + std::string(kFunctional);
    std::string overload = wanted;
    for (int i = 2; c10::Dispatcher::singleton().findSchema({name.name, overload}); ++i)
        overload = wanted + std::to_string(i);
    return overload;
}

/// Separate copies of memory that arguments share would not see each other's writes.
void requireApart(const c10::OperatorHandle& op, const Stack& arguments) {
    std::vector<std::pair<at::Tensor, bool>> tensors;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        forEachTensor(arguments[i], [&](const at::Tensor& t) {
            if (fi::isFunctionalTensor(t)) fi::sync(t);  // so that all have the current strides of views of their base
            tensors.emplace_back(t, isWritten(op.schema().arguments()[i]));
        });
    for (std::size_t i = 0; i < tensors.size(); ++i)
        for (std::size_t j = i + 1; j < tensors.size(); ++j) {
            const auto& [a, writtenA] = tensors[i];
            const auto& [b, writtenB] = tensors[j];
            if ((writtenA || writtenB) && storageOf(a) == storageOf(b) && overlap(a, b))
                throw Error(quotedName(op) +
                            " writes into memory that two of its arguments share, which cannot be made functional; "
                            "pass it a clone of one of them");
        }
}

void requireFunctional(const c10::OperatorHandle& op, const at::Tensor& written) {
    if (!fi::isFunctionalTensor(written))
        throw Error(quotedName(op) +
                    " writes into a tensor that is a constant of the program; make it an input or a buffer");
    for (std::int64_t i = 0; i < written.dim(); ++i)
        if (written.size(i) > 1 && written.stride(i) == 0)
            throw Error(
                quotedName(op) +
                " writes into an expanded tensor, several elements of which are one in memory; pass it a clone");
    // Autograd kernels call lower kernels with autograd's keys excluded.
    const bool ownGradient =
        c10::impl::tls_local_dispatch_key_set().excluded_.has(c10::DispatchKey::AutogradFunctionality);
    if (at::GradMode::is_enabled() && written.requires_grad() && !ownGradient)
        throw Error(quotedName(op) +
                    " writes into a tensor that requires a gradient, and has none itself; call it under no_grad, or "
                    "register its kernel for autograd");
}

bool holdsFunctional(const c10::IValue& value) {
    bool any = false;
    forEachTensor(value, [&](const at::Tensor& t) { any = any || fi::isFunctionalTensor(t); });
    return any;
}

at::Tensor unwrapped(const at::Tensor& tensor) {
    if (!fi::isFunctionalTensor(tensor)) return tensor;
    fi::sync(tensor);
    return fi::from_functional_tensor(tensor);
}

at::Tensor wrapped(const at::Tensor& tensor) { return tensor.defined() ? fi::to_functional_tensor(tensor) : tensor; }

std::vector<at::Tensor> tensorsIn(const c10::IValue& value) {
    std::vector<at::Tensor> tensors;
    forEachTensor(value, [&](const at::Tensor& t) { tensors.push_back(t); });
    return tensors;
}

void replace(const c10::OperatorHandle& op, const c10::IValue& written, const c10::IValue& values) {
    const auto targets = tensorsIn(written), results = tensorsIn(values);
    check(targets.size() == results.size(), "an operator on copies returns another number of copies");
    for (std::size_t i = 0; i < targets.size(); ++i) {
        requireFunctional(op, targets[i]);
        fi::replace_(targets[i], results[i]);
        fi::commit_update(targets[i]);
        fi::sync(targets[i]);
    }
}

/// The functionalization kernel of an operator that writes into arguments.
void functionalize(const c10::OperatorHandle& op, Stack* stack) {
    const c10::FunctionSchema& schema = op.schema();
    const std::size_t count = schema.arguments().size();
    const Stack given(stack->end() - static_cast<std::ptrdiff_t>(count), stack->end());
    if (std::none_of(given.begin(), given.end(), holdsFunctional)) {
        const at::AutoDispatchSkipFunctionalize skip;
        return op.callBoxed(*stack);
    }
    const c10::OperatorHandle form = functionalForm(op);
    requireApart(op, given);
    for (std::size_t i = 0; i < count; ++i)
        if (isWritten(schema.arguments()[i]))
            forEachTensor(given[i], [&](const at::Tensor& t) { requireFunctional(op, t); });
    torch::jit::drop(*stack, count);
    Stack call;
    for (const c10::IValue& value : given) call.push_back(mapTensors(value, unwrapped));
    {
        const at::AutoDispatchSkipFunctionalize skip;
        form.callBoxed(call);
    }
    std::size_t next = 0;
    Stack results;
    for (const c10::Argument& returned : schema.returns())
        results.push_back(returned.alias_info() ? given[argumentOf(schema, returned)]
                                                : mapTensors(call[next++], wrapped));
    for (std::size_t i = 0; i < count; ++i)
        if (isWritten(schema.arguments()[i])) replace(op, given[i], call[next++]);
    stack->insert(stack->end(), results.begin(), results.end());
}

}  // namespace

c10::OperatorHandle functionalForm(const c10::OperatorHandle& op) {
    Registry& registry = Registry::instance();
    const std::lock_guard lock(registry.mutex);
    const std::string name = c10::toString(op.operator_name());
    if (const auto known = registry.forms.find(name); known != registry.forms.end()) return known->second;
    auto& dispatcher = c10::Dispatcher::singleton();
    const c10::FunctionSchema schema = functionalSchema(op, freeOverload(op.operator_name()));
    registry.handles.push_back(dispatcher.registerDef(schema, "aotscope", op.getTags().vec()));
    registry.handles.push_back(dispatcher.registerImpl(
        schema.operator_name(), c10::DispatchKey::CompositeExplicitAutograd,
        c10::KernelFunction::makeFromBoxedFunctor(std::make_unique<OnCopies>(op)), std::nullopt, nullptr, "aotscope"));
    const auto form = dispatcher.findSchemaOrThrow(schema.name().c_str(), schema.overload_name().c_str());
    registry.forms.emplace(name, form);
    return form;
}

std::optional<c10::OperatorHandle> findFunctionalForm(const c10::OperatorName& name) {
    std::string overload = name.overload_name;
    if (!overload.ends_with(kFunctional)) return std::nullopt;
    overload.resize(overload.size() - kFunctional.size());
    if (overload.ends_with('_')) overload.pop_back();
    const auto op = c10::Dispatcher::singleton().findSchema({name.name, overload});
    if (!op || !op->schema().is_mutable()) return std::nullopt;
    try {
        return functionalForm(*op);
    } catch (const Error&) {
        return std::nullopt;
    }
}

void makeFunctionalizable(const c10::OperatorHandle& op) {
    if (!op.schema().hasAnyAliasInfo() || op.operator_name().name.starts_with("aten::")) return;
    if (op.hasKernelForDispatchKey(c10::DispatchKey::Functionalize) ||
        op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd))
        return;
    Registry& registry = Registry::instance();
    const std::lock_guard lock(registry.mutex);
    if (op.hasKernelForDispatchKey(c10::DispatchKey::Functionalize)) return;
    registry.handles.push_back(c10::Dispatcher::singleton().registerImpl(
        op.operator_name(), c10::DispatchKey::Functionalize,
        c10::KernelFunction::makeFromBoxedFunction<&functionalize>(), std::nullopt, nullptr, "aotscope"));
}

}  // namespace aotscope
