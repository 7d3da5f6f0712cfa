// Single operations on the CPU.

#include "test_fused_kernels.h"
#include "kernel_tests.h"
#include "support/test_program.h"

#include "compile/fused/fused_kernel.h"
#include "session/session.h"
#include "support/fused_reference.h"

#include <ATen/ATen.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

at::Tensor edgeValues(ComputeType computeType, Opcode op) {
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    if (computeType == ComputeType::boolean) return at::tensor({0, 1, 1, 0, 1}, at::kInt).to(at::kBool);
    if (computeType == ComputeType::i64) {
        if (op == Opcode::pow) return at::arange(0, 21, at::kLong);
        if (op >= Opcode::floorDivide && op <= Opcode::remainder)
            return at::tensor({1L, 2L, -2L, 3L, -3L, 7L, -7L, (1L << 53) + 1, -(1L << 60) - 1}, at::kLong);
        return at::tensor({0L, 1L, -1L, 2L, -2L, 7L, -7L, (1L << 53) + 1, least, least + 1, ~least}, at::kLong);
    }
    // Quotients stay below 1e14: LibTorch's kernels disagree on the remainders of larger ones.
    const std::vector<double> values = {0.,   -0.,  1.,   -1.,  0.5,  -0.5, 1.5, 2.5,   -2.5, 3.,    -3., 0.1,  0.9,
                                        -0.9, 1e-3, 10.3, -7.7, 30.5, 88.,  100, -100., 1e10, -1e10, inf, -inf, nan};
    return at::tensor(values, at::kDouble).to(scalarType(computeType));
}

bool reducesOrLoads(Opcode op) {
    return operandCount(op) == 0 || isReduction(op) || op == Opcode::gather || op == Opcode::offset;
}

ComputeType resultType(Opcode op, ComputeType operand) {
    const bool compares = op >= Opcode::equal && op <= Opcode::greaterEqual;
    return compares || op == Opcode::isNan || op == Opcode::isInf ? ComputeType::boolean : operand;
}

bool hasOperation(Opcode op, ComputeType computeType) {
    if (reducesOrLoads(op) || op == Opcode::convert || op == Opcode::narrow || op == Opcode::where) return false;
    const bool bits = (op >= Opcode::bitAnd && op <= Opcode::bitXor) || op == Opcode::bitNot;
    const bool compares = op >= Opcode::equal && op <= Opcode::greaterEqual;
    if (computeType == ComputeType::boolean) return bits || compares || op == Opcode::minimum || op == Opcode::maximum;
    if (computeType != ComputeType::i64) return !bits;
    return op < Opcode::reciprocal && op != Opcode::div && op != Opcode::atan2 && op != Opcode::hypot &&
           op != Opcode::copysign;
}

}  // namespace

void TestFusedKernels::initTestCase() { at::manual_seed(1); }

// --- operations ---

void TestFusedKernels::operations_data() {
    columns<int, int>("op", "computeType");
    for (int op = 0; op <= static_cast<int>(Opcode::reduceMax); ++op)
        for (int computeType = 0; computeType < 4; ++computeType)
            if (hasOperation(static_cast<Opcode>(op), static_cast<ComputeType>(computeType)))
                QTest::addRow("%s %d", std::string(name(static_cast<Opcode>(op))).c_str(), computeType)
                    << op << computeType;
}
void TestFusedKernels::operations() {
    FETCH(int, op, computeType);
    const auto opcode = static_cast<Opcode>(op);
    const auto operand = static_cast<ComputeType>(computeType);
    KernelMaker m;
    const int a = m.load(dtypeOf(operand), operand);
    const int b = operandCount(opcode) == 2 ? m.load(dtypeOf(operand), operand) : -1;
    const ComputeType result = resultType(opcode, operand);
    m.output(b < 0 ? m.op(opcode, result, {a}) : m.op(opcode, result, {a, b}), dtypeOf(result));
    m.kernel.rank = 2;
    const double tolerance = operand == ComputeType::f32 ? 2e-5 : 1e-10;
    // All pairs of values, as rows, as columns, and side by side.
    const at::Tensor values = edgeValues(operand, opcode);
    const std::int64_t n = values.numel();
    const at::Tensor row = values.unsqueeze(0), column = values.unsqueeze(1);
    if (b < 0) {
        COMPARE_KERNEL(m.kernel, {row}, {1, n}, tolerance);
        COMPARE_KERNEL(m.kernel, {column.expand({n, 3})}, {n, 3}, tolerance);
        return;
    }
    COMPARE_KERNEL(m.kernel, {row, column}, {n, n}, tolerance);
    COMPARE_KERNEL(m.kernel, {column, row}, {n, n}, tolerance);
    COMPARE_KERNEL(m.kernel, {column.expand({n, n}).contiguous(), row.expand({n, n}).contiguous()}, {n, n}, tolerance);
    for (std::int64_t i = 0; i < n; ++i) {
        COMPARE_KERNEL(m.kernel, {row, values[i].reshape({1, 1})}, {1, n}, tolerance);
        COMPARE_KERNEL(m.kernel, {values[i].reshape({1, 1}), row}, {1, n}, tolerance);
    }
}

void TestFusedKernels::conversions() {
    for (const ComputeType from : {ComputeType::f32, ComputeType::f64, ComputeType::i64, ComputeType::boolean})
        for (const ComputeType to : {ComputeType::f32, ComputeType::f64, ComputeType::i64, ComputeType::boolean}) {
            KernelMaker m;
            m.output(m.op(Opcode::convert, to, {m.load(dtypeOf(from), from)}), dtypeOf(to));
            m.kernel.rank = 1;
            COMPARE_KERNEL(m.kernel, {at::randint(-3, 3, {77}).to(scalarType(from))}, {77});
        }
}

void TestFusedKernels::narrowAndStore() {
    const at::Tensor reals = at::cat({at::randn({300}, at::kDouble) * 1e3, edgeValues(ComputeType::f64, Opcode::add)});
    const at::Tensor whole = at::randint(-(1L << 40), 1L << 40, {333}, at::kLong);
    const auto test = [](ComputeType computeType, DType dtype, const at::Tensor& values) -> void {
        KernelMaker m;
        const int x = m.load(dtypeOf(computeType), computeType);
        m.op(Opcode::narrow, computeType, {x});
        m.kernel.code.back().dtype = dtype;
        m.output(x + 1, dtypeOf(computeType));
        if ((computeType == ComputeType::i64) == (dtype < DType::f16) && (computeType != ComputeType::f64))
            m.output(x, dtype);
        m.kernel.rank = 1;
        COMPARE_KERNEL(m.kernel, {values}, {values.numel()});
    };
    for (const DType dtype : {DType::f16, DType::bf16, DType::f32}) {
        test(ComputeType::f32, dtype, reals.to(at::kFloat));
        test(ComputeType::f64, dtype, reals);
    }
    for (const DType dtype : {DType::u8, DType::i8, DType::i16, DType::i32, DType::i64})
        test(ComputeType::i64, dtype, whole);
}

void TestFusedKernels::integersAreExact() {
    KernelMaker m;
    const int x = m.load(DType::i64, ComputeType::i64);
    m.output(m.op(Opcode::add, ComputeType::i64, {x, m.constant(ComputeType::i64, 1)}), DType::i64);
    m.kernel.rank = 1;
    COMPARE_KERNEL(m.kernel, {at::full({40}, (1L << 53) + 2, at::kLong)}, {40});
}

void TestFusedKernels::divisionByZeroIsAnError() {
    KernelMaker m;
    const int x = m.load(DType::i64, ComputeType::i64);
    m.output(m.op(Opcode::floorDivide, ComputeType::i64, {x, m.constant(ComputeType::i64, 0)}), DType::i64);
    m.kernel.rank = 1;
    QVERIFY_EXCEPTION_THROWN(failure(m.kernel, {at::ones({40}, at::kLong)}, {40}), c10::Error);
}

void TestFusedKernels::signsOfZero() {
    KernelMaker m;
    m.output(m.op(Opcode::neg, ComputeType::f32, {m.load(DType::f32, ComputeType::f32)}), DType::f32);
    m.kernel.rank = 1;
    const Tensors result = emptyOutputs(m.kernel, {20});
    makeCpuKernel(m.kernel)->run(Tensors{at::zeros({20})}, {}, result);
    QVERIFY(at::signbit(result[0]).all().item<bool>());
}

AOTSCOPE_TEST(TestFusedKernels)
#include "test_fused_kernels.moc"
