#include "trace/views/view_calls.h"

#include "aten/tensors.h"
#include "support/error.h"
#include "trace/views/view_history.h"

#include <ATen/FunctionalTensorWrapper.h>

#include <string>
#include <unordered_set>

namespace aotscope {

namespace {

using Stack = torch::jit::Stack;

/// Whether the type is Tensor?[].
bool takesOptionals(const c10::Type& type) {
    return type.kind() == c10::TypeKind::ListType &&
           type.castRaw<c10::ListType>()->getElementType()->kind() == c10::TypeKind::OptionalType;
}

c10::IValue asOptionals(const c10::IValue& list) {
    c10::List<std::optional<at::Tensor>> optionals;
    for (const c10::IValue& v : list.toListRef())
        optionals.push_back(v.isNone() ? std::nullopt : std::optional<at::Tensor>(v.toTensor()));
    return optionals;
}

}  // namespace

void makeOptionalLists(const c10::OperatorHandle& op, Stack& stack) {
    const auto& declared = op.schema().arguments();
    for (std::size_t i = 0; i < declared.size(); ++i) {
        c10::IValue& value = stack[stack.size() - declared.size() + i];
        if (value.isList() && !value.isOptionalTensorList() && takesOptionals(*declared[i].type()))
            value = asOptionals(value);
    }
}

void resolveLazyBits(const c10::OperatorHandle& op, Stack& stack) {
    static const c10::OperatorName asReal("aten::view_as_real", ""), asType("aten::view", "dtype");
    if (op.operator_name() != asReal && op.operator_name() != asType) return;
    c10::IValue& value = stack[stack.size() - op.schema().arguments().size()];
    const at::Tensor tensor = value.toTensor();
    if (at::functionalization::impl::isFunctionalTensor(tensor) || !(tensor.is_conj() || tensor.is_neg())) return;
    value = tensor.resolve_conj().resolve_neg();
}

void refuseCutView(const at::Tensor& view) {
    if (!isReplayedView(view) || !isCutFromBase(view) || !isWrittenSince(view)) return;
    throw Error(
        "the model detaches a tensor in place (detach_) and goes on with a view of it, after a write; use "
        "detach(), which makes a new one");
}

bool detachesNothing(const c10::OperatorHandle& op, const Stack& stack) {
    static const c10::OperatorName detach("aten::detach_", "");
    return op.operator_name() == detach && !stack.back().toTensor().requires_grad();
}

std::optional<c10::OperatorHandle> viewOutOfPlace(const c10::OperatorHandle& op) {
    static const std::unordered_set<std::string> inPlace = {"aten::as_strided_", "aten::squeeze_", "aten::t_",
                                                            "aten::transpose_", "aten::unsqueeze_"};
    const auto& [name, overload] = op.operator_name();
    if (!inPlace.contains(name)) return std::nullopt;
    return c10::Dispatcher::singleton().findSchemaOrThrow(name.substr(0, name.size() - 1).c_str(),
                                                          name == "aten::transpose_" ? "int" : overload.c_str());
}

void refuseWritingBeside(const c10::OperatorHandle& op, const Stack& stack) {
    const at::Tensor& tensor = torch::jit::peek(stack, 0, op.schema().arguments().size()).toTensor();
    if (!(tensor.is_conj() || tensor.is_neg()) || tensor.is_contiguous()) return;
    throw Error("the model changes the shape of a lazily conjugated or negated tensor with gaps in place (" +
                op.operator_name().name.substr(6) +
                "), which makes LibTorch overwrite other memory; change a copy, for example a clone");
}

bool noteView(const c10::OperatorHandle& op, const std::optional<c10::OperatorHandle>& view, c10::DispatchKeySet keys,
              Stack& stack) {
    static const c10::OperatorName asStrided("aten::as_strided", "");
    if (!view && op.operator_name() != asStrided) return false;
    const auto count = op.schema().arguments().size();
    const Stack arguments(stack.end() - static_cast<std::ptrdiff_t>(count), stack.end());
    const at::Tensor tensor = arguments[0].toTensor();
    if (!isReplayedView(tensor)) return false;
    if (!view && (arguments[3].isNone() || baseOf(tensor).scalar_type() != tensor.scalar_type())) return false;
    op.redispatchBoxed(keys, &stack);
    ViewOperation replay = [operation = view.value_or(op), arguments](const at::Tensor& t) {
        Stack call = arguments;
        call[0] = t;
        operation.callBoxed(call);
        return call[0].toTensor();
    };
    if (view) noteChangeInPlace(tensor, std::move(replay));
    else noteMadeFromBase(stack.back().toTensor(), std::move(replay));
    return true;
}

}  // namespace aotscope
