#include "support/kernel_code.h"

#include <ATen/ATen.h>

namespace aotscope::test {

Kernel geluOfSum(int rank) {
    Code code(rank);
    const int x = code.load(DType::f32, ComputeType::f32), b = code.load(DType::f16, ComputeType::f32);
    const int n = code.number(ComputeType::f64, ComputeType::f32);
    const int sum = code.f(Opcode::add, code.f(Opcode::mul, x, n), b);
    const int erf = code.f(Opcode::erf, code.f(Opcode::mul, sum, code.constant(0.7071067811865476)));
    const int half = code.f(Opcode::mul, sum, code.constant(0.5));
    code.output(code.f(Opcode::mul, half, code.f(Opcode::add, erf, code.constant(1))));
    return code.kernel;
}

Kernel softmaxKernel(int rank, std::vector<int> reduced, DType dtype) {
    Code code(rank, std::move(reduced));
    const int x = code.load(dtype, ComputeType::f32);
    const int e = code.f(Opcode::exp, code.f(Opcode::sub, x, code.f(Opcode::reduceMax, x)));
    code.output(code.f(Opcode::div, e, code.f(Opcode::reduceSum, e)), dtype);
    return code.kernel;
}

Kernel layerNorm() {
    Code code(2, {1});
    const int x = code.load(DType::bf16, ComputeType::f32), residual = code.load(DType::bf16, ComputeType::f32);
    const int weight = code.load(DType::f32, ComputeType::f32), count = code.number(ComputeType::i64, ComputeType::f32);
    const int sum = code.narrow(DType::bf16, ComputeType::f32, code.f(Opcode::add, x, residual));
    const int mean = code.f(Opcode::div, code.f(Opcode::reduceSum, sum), count);
    const int centred = code.f(Opcode::sub, sum, mean);
    const int squares = code.f(Opcode::reduceSum, code.f(Opcode::mul, centred, centred));
    const int variance = code.f(Opcode::add, code.f(Opcode::div, squares, count), code.constant(1e-5));
    const int scale = code.f(Opcode::rsqrt, variance);
    const int normal = code.f(Opcode::mul, centred, scale);
    code.output(sum, DType::bf16);
    code.output(code.f(Opcode::mul, normal, weight), DType::bf16);
    code.output(mean);
    code.output(scale);
    return code.kernel;
}

Kernel sum(int rank, std::vector<int> reduced) {
    Code code(rank, std::move(reduced));
    code.output(code.f(Opcode::reduceSum, code.load(DType::f32, ComputeType::f32)));
    return code.kernel;
}

DType dtypeOf(ComputeType computeType) {
    constexpr DType types[] = {DType::f32, DType::f64, DType::i64, DType::b8};
    return types[static_cast<std::size_t>(computeType)];
}

at::Tensor values(ComputeType computeType) {
    if (computeType == ComputeType::boolean) return at::arange(24).remainder(3).eq(1).view({4, 6});
    if (computeType == ComputeType::i64) return at::arange(24).mul(7).sub(80).view({4, 6});
    at::Tensor x =
        at::linspace(-3.7, 4.1, 24, at::TensorOptions(computeType == ComputeType::f32 ? at::kFloat : at::kDouble));
    x[3] = NAN, x[7] = INFINITY, x[9] = -INFINITY, x[11] = 0.5, x[12] = -0.5, x[13] = 0, x[14] = 2.5, x[15] = 1;
    return x.view({4, 6});
}

at::Tensor secondValues(ComputeType computeType) {
    const at::Tensor a = values(computeType);
    if (computeType == ComputeType::boolean) return at::roll(a, {1});
    const at::Tensor b = at::roll(a, {5});
    return computeType == ComputeType::i64 ? b.remainder(5).sub(3).mul(2).add(1) : b;
}

bool close(const at::Tensor& a, const at::Tensor& b) {
    if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes()) return false;
    const double relative = a.element_size() == 2 ? 8e-3 : 2e-5;
    return a.is_floating_point() ? at::allclose(a.to(at::kDouble), b.to(at::kDouble), relative, 1e-6, true)
                                 : at::equal(a, b);
}

#define UNARY(opcode, call)                                                         \
    {                                                                               \
        Opcode::opcode, [](const at::Tensor& a, const at::Tensor&) { return call; } \
    }
#define BINARY(opcode, call)                                                          \
    {                                                                                 \
        Opcode::opcode, [](const at::Tensor& a, const at::Tensor& b) { return call; } \
    }
const std::vector<OpcodeCase>& opcodeCases() {
    static const std::vector<OpcodeCase> list = {
        BINARY(add, a + b),
        BINARY(sub, a - b),
        BINARY(mul, a * b),
        BINARY(div, a / b),
        BINARY(floorDivide, at::div(a, b, "floor")),
        BINARY(truncDivide, at::div(a, b, "trunc")),
        BINARY(fmod, at::fmod(a, b)),
        BINARY(remainder, at::remainder(a, b)),
        BINARY(pow, a.is_floating_point() ? at::pow(a, b) : at::pow(a, b.abs())),
        BINARY(atan2, at::atan2(a, b)),
        BINARY(hypot, at::hypot(a, b)),
        BINARY(copysign, at::copysign(a, b)),
        BINARY(minimum, at::minimum(a, b)),
        BINARY(maximum, at::maximum(a, b)),
        BINARY(bitAnd, at::bitwise_and(a, b)),
        BINARY(bitOr, at::bitwise_or(a, b)),
        BINARY(bitXor, at::bitwise_xor(a, b)),
        BINARY(equal, a == b),
        BINARY(notEqual, a != b),
        BINARY(less, a < b),
        BINARY(lessEqual, a <= b),
        BINARY(greater, a > b),
        BINARY(greaterEqual, a >= b),
        UNARY(bitNot, at::bitwise_not(a)),
        UNARY(neg, -a),
        UNARY(abs, a.abs()),
        UNARY(sign, a.sign()),
        UNARY(reciprocal, a.reciprocal()),
        UNARY(sqrt, a.sqrt()),
        UNARY(rsqrt, a.rsqrt()),
        UNARY(exp, a.exp()),
        UNARY(exp2, a.exp2()),
        UNARY(expm1, a.expm1()),
        UNARY(log, a.log()),
        UNARY(log2, a.log2()),
        UNARY(log10, a.log10()),
        UNARY(log1p, a.log1p()),
        UNARY(sin, a.sin()),
        UNARY(cos, a.cos()),
        UNARY(tan, a.tan()),
        UNARY(asin, a.asin()),
        UNARY(acos, a.acos()),
        UNARY(atan, a.atan()),
        UNARY(sinh, a.sinh()),
        UNARY(cosh, a.cosh()),
        UNARY(tanh, a.tanh()),
        UNARY(asinh, a.asinh()),
        UNARY(acosh, a.acosh()),
        UNARY(atanh, a.atanh()),
        UNARY(erf, a.erf()),
        UNARY(erfc, a.erfc()),
        UNARY(gelu, a.mul(a.mul(0.7071067811865476).erf().add(1)).div(2)),
        UNARY(geluSlope,
              a.mul(0.7071067811865476).erf().add(1).div(2) + a * a.mul(a).div(-2).exp() * 0.3989422804014327),
        UNARY(sigmoid, a.sigmoid()),
        UNARY(floor, a.floor()),
        UNARY(ceil, a.ceil()),
        UNARY(round, a.round()),
        UNARY(trunc, a.trunc()),
        UNARY(isNan, a.isnan()),
        UNARY(isInf, a.isinf()),
    };
    return list;
}

EveryOpcode everyOpcode(ComputeType computeType) {
    const at::Tensor a = values(computeType), b = secondValues(computeType);
    Code code(2);
    const int va = code.load(dtypeOf(computeType), computeType), vb = code.load(dtypeOf(computeType), computeType);
    EveryOpcode every{{}, {a, b}, {}};
    for (const OpcodeCase& each : opcodeCases()) {
        if (!each.takes(computeType)) continue;
        const bool unsignedPower = each.op == Opcode::pow && computeType == ComputeType::i64;
        const int second = unsignedPower ? code.op(Opcode::abs, computeType, vb) : vb;
        code.output(operandCount(each.op) == 1 ? code.op(each.op, each.result(computeType), va)
                                               : code.op(each.op, each.result(computeType), va, second),
                    dtypeOf(each.result(computeType)));
        every.expected.push_back(each.expected(a, b));
    }
    const int less = code.op(Opcode::less, ComputeType::boolean, va, vb);
    code.output(code.op(Opcode::where, computeType, less, va, vb), dtypeOf(computeType));
    every.expected.push_back(at::where(a < b, a, b));
    every.kernel = code.kernel;
    return every;
}

}  // namespace aotscope::test
