#include "verify/judge/wide_run.h"

#include "aten/convert.h"
#include "aten/tensors.h"
#include "ops/op_table.h"
#include "program/higher_order.h"
#include "support/error.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>

namespace aotscope {

namespace {

bool isNarrowType(at::ScalarType type) {
    return (c10::isFloatingType(type) && type != at::kDouble) || type == at::kComplexFloat || type == at::kComplexHalf;
}

at::ScalarType wideTypeOf(at::ScalarType type) {
    if (!isNarrowType(type)) return type;
    return c10::isComplexType(type) ? at::kComplexDouble : at::kDouble;
}

at::Tensor inType(const at::Tensor& t, at::ScalarType type) {
    if (!t.is_non_overlapping_and_dense()) return t.to(type);
    at::Tensor result = at::empty_strided(t.sizes(), t.strides(), t.options().dtype(type));
    return result.copy_(t);
}

/// Replaces dtypes among the arguments, and what depends on them.
void widenDtypes(const c10::FunctionSchema& schema, torch::jit::Stack& stack) {
    const auto& declared = schema.arguments();
    for (std::size_t i = 0; i < declared.size(); ++i) {
        c10::IValue& value = stack[stack.size() - declared.size() + i];
        const c10::TypePtr& type = declared[i].real_type();
        const auto* inner = type->castRaw<c10::OptionalType>();
        const c10::TypeKind kind = (inner ? inner->getElementType() : type)->kind();
        if (kind == c10::TypeKind::ScalarTypeType && value.isInt())
            value = static_cast<std::int64_t>(wideTypeOf(static_cast<at::ScalarType>(value.toInt())));
        if (declared[i].name() == "half_to_float") value = false;
    }
}

/// Reinterpreting the bytes of a number requires its original dtype.
bool readsBytes(const std::string& name) { return name == "aten.view.dtype"; }

/// Operations that draw the same numbers for all dtypes.
bool drawsForAllDtypes(const std::string& name) {
    return name.find("bernoulli") != name.npos || name.find("dropout") != name.npos;
}

}  // namespace

bool isNarrow(const at::Tensor& tensor) {
    return tensor.defined() && tensor.layout() == at::kStrided && isNarrowType(tensor.scalar_type());
}

at::Tensor widened(const at::Tensor& tensor) {
    return isNarrow(tensor) ? inType(tensor, wideTypeOf(tensor.scalar_type())) : tensor;
}

namespace {

/// Operations in its subgraphs also arrive in the handler.
void runInFloat64(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    for (std::size_t i = stack.size() - op.schema().arguments().size(); i < stack.size(); ++i)
        stack[i] = mapTensors(stack[i], [](const at::Tensor& t) { return widened(t); });
    const AutocastOfCall autocast;
    op.callBoxedForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd, stack);
}

}  // namespace

void WideRun::dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    if (findHigherOrder(op)) return runInFloat64(op, stack);
    const PlainKernelScope plain;
    const at::NoGradGuard noGrad;
    const std::string name = graphName(op.operator_name());
    if (readsBytes(name)) throw Error(name + " has no meaning in float64");
    const auto& schema = op.schema();
    const auto count = schema.arguments().size();
    const bool draws = (opTags(name) & kRandom) && !drawsForAllDtypes(name);
    std::vector<std::pair<at::Tensor, at::Tensor>> written;  // in float64, and the original tensors
    if (!draws) widenDtypes(schema, stack);
    for (std::size_t i = 0; i < count; ++i) {
        const auto* alias = schema.arguments()[i].alias_info();
        c10::IValue& value = stack[stack.size() - count + i];
        value = mapTensors(value, [&](const at::Tensor& t) {
            if (!t.defined()) return t;
            if (draws && (t.scalar_type() == at::kDouble || t.scalar_type() == at::kComplexDouble)) {
                at::Tensor drawn = inType(t, t.is_complex() ? at::kComplexFloat : at::kFloat);
                if (alias && alias->isWrite()) written.emplace_back(t, drawn);
                return drawn;
            }
            if (draws || !isNarrow(t)) return t;
            if (alias && alias->isWrite()) throw Error(name + " writes into a tensor that is not in float64");
            return widened(t);
        });
    }
    RandomRulesHandler::dispatch(op, stack);
    for (const auto& [wide, drawn] : written) wide.copy_(drawn);
    const auto results = schema.returns().size();
    for (std::size_t i = stack.size() - results; i < stack.size(); ++i)
        stack[i] = mapTensors(stack[i], [&](const at::Tensor& t) {
            for (const auto& [wide, drawn] : written)
                if (drawn.is_same(t)) return wide;
            return widened(t);
        });
}

}  // namespace aotscope
