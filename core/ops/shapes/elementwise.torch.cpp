#include "ops/shapes/rule_results.h"

#include <ATen/ops/addcmul.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/result_type.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/sub.h>

namespace aotscope {

namespace {

/// A ternary elementwise operation with the strides that TensorIterator computes for (condition, self, other).
Results where(const RuleCall& call) {
    const auto type = at::result_type(call.tensor(1), call.tensor(2));
    const auto computed = type == at::kBool ? at::kByte : type;
    const auto as = [&](std::size_t i) { return call.tensor(i).to(computed); };
    // The condition is not converted, which would make an expanded one dense.
    const at::Tensor condition = call.tensor(0);
    const auto like = at::empty_strided(condition.sizes(), condition.strides(), condition.options().dtype(computed));
    return {at::addcmul(like, as(1), as(2)).to(type)};
}

/// input, p, train. An input without elements is returned.
Results dropout(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    if (input.numel() == 0) return {input, preserved(input)};
    return {preserved(input), preserved(input, at::kBool)};
}

/// grad_output, mask, scale: the product of all three.
Results dropoutBackward(const RuleCall& call) {
    return {at::mul(at::mul(call.tensor(0), call.tensor(1)), call.args[2].toDouble())};
}

Results magnitude(const RuleCall& call) { return {preserved(call.tensor(0), realType(call.tensor(0).scalar_type()))}; }

// Prims whose ATen operator has no meta kernel.

/// Real numbers are their own conjugates.
Results conjugate(const RuleCall& call) {
    return call.tensor(0).is_complex() ? preservedRule(call) : inPlaceRule(call);
}
Results isFinite(const RuleCall& call) { return {preserved(call.tensor(0), at::kBool)}; }

/// Integers become floating-point numbers, complex numbers become real.
Results angle(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    if (input.is_complex()) return {contiguous(input.sizes(), input, realType(input.scalar_type()))};
    return {preserved(input, c10::isIntegralType(input.scalar_type(), true) ? c10::get_default_dtype_as_scalartype()
                                                                            : input.scalar_type())};
}

/// real, imaginary part; or radius, angle
Results complex(const RuleCall& call) {
    const at::Tensor parts = at::mul(call.tensor(0), call.tensor(1));
    return {preserved(parts, c10::toComplexType(parts.scalar_type()))};
}

Results test(const RuleCall& call) { return {at::ne(call.tensor(0), call.tensor(0))}; }
Results test2(const RuleCall& call) { return {at::ne(call.tensor(0), call.tensor(1))}; }

Results floorDivide(const RuleCall& call) {
    if (call.args[1].isScalar()) return {at::div(call.tensor(0), call.args[1].toScalar(), "floor")};
    return {at::div(call.tensor(0), call.tensor(1), "floor")};
}

Results frexp(const RuleCall& call) { return {preserved(call.tensor(0)), preserved(call.tensor(0), at::kInt)}; }
/// The factor is a power of 2, which LibTorch 2.11 cannot compute for a scalar on the meta device. Promotes like
/// sigmoid, and is contiguous.
Results ldexp(const RuleCall& call) {
    return {at::mul(call.tensor(0), contiguous(call.tensor(1).sizes(), at::sigmoid(call.tensor(1))))};
}
Results logit(const RuleCall& call) { return {at::sigmoid(call.tensor(0))}; }

/// self, other, alpha
Results reverseSubtract(const RuleCall& call) {
    return {at::sub(call.tensor(1), call.tensor(0), call.args[2].toScalar())};
}

/// number, tensor
Results scalarRemainder(const RuleCall& call) { return {at::mul(call.tensor(1), call.args[0].toScalar())}; }

/// A result that a kernel allocates like its first argument and that TensorIterator resizes if the others are larger.
at::Tensor unlessBroadcast(const at::Tensor& allocated, const at::Tensor& broadcast) {
    return allocated.sizes() == broadcast.sizes() ? allocated : broadcast;
}

/// input, weight
Results prelu(const RuleCall& call) {
    return {unlessBroadcast(preserved(call.tensor(0)), at::mul(call.tensor(0), call.tensor(1)))};
}

/// grad_output, input, buffer, which only the CPU fills
Results logSigmoidBackward(const RuleCall& call) {
    const at::Tensor grad = call.tensor(0), input = call.tensor(1);
    return {unlessBroadcast(preserved(grad),
                            call.device.is_cpu() ? at::addcmul(input, call.tensor(2), grad) : at::mul(input, grad))};
}

/// grad_output, input, weight: both gradients are broadcast.
Results preluBackward(const RuleCall& call) {
    const at::Tensor all = at::addcmul(call.tensor(1), call.tensor(2), call.tensor(0));
    return {preserved(all), preserved(all, call.tensor(2).scalar_type())};
}

/// Tensors, tensors, tensors, numbers
Results forEachTernary(const RuleCall& call) {
    const auto a = call.args[0].toTensorVector(), b = call.args[1].toTensorVector(), c = call.args[2].toTensorVector();
    TORCH_CHECK(a.size() == b.size() && a.size() == c.size(), "Tensor lists must have the same number of tensors, got ",
                a.size(), ", ", b.size(), " and ", c.size());
    c10::List<at::Tensor> results;
    for (std::size_t i = 0; i < a.size(); ++i) results.push_back(at::addcmul(a[i], b[i], c[i]));
    return {results};
}

/// input, mask, dim, mask_type
Results maskedSoftmax(const RuleCall& call) { return {preserved(call.tensor(0))}; }

/// grad_output, ...: a number becomes a vector.
Results maskedSoftmaxBackward(const RuleCall& call) {
    const at::Tensor grad = call.tensor(0);
    return {grad.dim() == 0 ? contiguous({1}, grad) : contiguous(grad.sizes(), grad)};
}

/// A condition, a message, and the tensor that is passed through.
Results functionalAssertion(const RuleCall& call) { return {preserved(call.tensor(2))}; }

}  // namespace

std::vector<ShapeRuleRow> elementwiseRules() {
    return {
        {"aten::relu", preservedRule},
        {"aten::relu_", inPlaceRule},
        {"aten::where.self", where},
        {"prims::where", where},
        {"aten::native_dropout", dropout},
        {"aten::native_dropout_backward", dropoutBackward},
        {"aten::abs", magnitude},
        {"aten::abs_", inPlaceRule},
        {"prims::abs", magnitude},
        {"prims::conj_physical", conjugate},
        {"prims::isfinite", isFinite},
        {"aten::angle", angle},
        {"aten::complex", complex},
        {"aten::polar", complex},
        {"aten::_conj_physical", preservedRule},
        {"aten::conj_physical_", inPlaceRule},
        {"aten::isnan", test},
        {"aten::isinf", test},
        {"aten::logical_and", test2},
        {"aten::logical_or", test2},
        {"aten::logical_xor", test2},
        {"aten::logical_not", test},
        {"aten::floor_divide", floorDivide},
        {"aten::floor_divide.Scalar", floorDivide},
        {"aten::floor_divide_.Scalar", inPlaceRule},
        {"aten::remainder.Scalar_Tensor", scalarRemainder},
        {"aten::rsub.Tensor", reverseSubtract},
        {"aten::__lshift__.Scalar", binaryRule},
        {"aten::__lshift__.Tensor", binaryRule},
        {"aten::__rshift__.Scalar", binaryRule},
        {"aten::__rshift__.Tensor", binaryRule},
        {"aten::_add_relu.Scalar", binaryRule},
        {"aten::_add_relu.Tensor", binaryRule},
        {"aten::frexp.Tensor", frexp},
        {"aten::ldexp.Tensor", ldexp},
        {"aten::ldexp_", inPlaceRule},
        {"aten::logit", logit},
        {"aten::nan_to_num", preservedRule},
        {"aten::nan_to_num_", inPlaceRule},
        {"aten::mvlgamma_", inPlaceRule},
        {"aten::hardswish", preservedRule},
        {"aten::hardswish_backward", binaryRule},
        {"aten::hardtanh", preservedRule},
        {"aten::hardtanh_backward", binaryRule},
        {"aten::_prelu_kernel", prelu},
        {"aten::_prelu_kernel_backward", preluBackward},
        {"aten::rrelu_with_noise", contiguousRule},
        {"aten::log_sigmoid_backward", logSigmoidBackward},
        {"aten::_foreach_addcmul.Tensor", forEachTernary},
        {"aten::_foreach_addcdiv.Tensor", forEachTernary},
        {"aten::_assert_async", nothingRule},
        {"aten::_assert_async.msg", nothingRule},
        {"aten::_functional_assert_async.msg", functionalAssertion},
        {"aten::_foreach_addcmul_.Tensor", nothingRule},
        {"aten::_foreach_addcdiv_.Tensor", nothingRule},
        {"aten::_masked_softmax", maskedSoftmax},
        {"aten::_masked_softmax_backward", maskedSoftmaxBackward},
    };
}

}  // namespace aotscope
