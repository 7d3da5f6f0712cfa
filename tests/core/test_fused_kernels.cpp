// Fused kernels on the CPU: each operation against LibTorch's, random kernels, reductions, shapes, strides, threads.

#include "compile/fused/fused_kernel.h"
#include "session/session.h"
#include "support/fused_reference.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <QtTest>

#include <random>
#include <thread>

using namespace aotscope;
using namespace aotscope::test;

namespace {

using Tensors = std::vector<at::Tensor>;

/// The difference from LibTorch's results; empty if there is none.
std::string failure(const Kernel& kernel, const Tensors& inputs, c10::IntArrayRef space, double tolerance = 0,
                    const std::vector<c10::Scalar>& numbers = {}) {
    const Tensors results = emptyOutputs(kernel, space);
    makeCpuKernel(kernel)->run(inputs, numbers, results);
    const Tensors expected = runByLibTorch(kernel, inputs, numbers, space);
    for (std::size_t i = 0; i < results.size(); ++i)
        if (std::string text = difference(results[i], expected[i], tolerance); !text.empty())
            return c10::str("output ", i, ": ", text);
    return {};
}

#define COMPARE_KERNEL(...)                            \
    do {                                               \
        const std::string text = failure(__VA_ARGS__); \
        QVERIFY2(text.empty(), text.c_str());          \
    } while (false)

DType dtypeOf(ComputeType computeType) {
    return computeType == ComputeType::f32   ? DType::f32
           : computeType == ComputeType::f64 ? DType::f64
           : computeType == ComputeType::i64 ? DType::i64
                                             : DType::b8;
}

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

bool reducesOrLoads(Opcode op) { return operandCount(op) == 0 || isReduction(op); }

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

at::Tensor randomTensor(c10::IntArrayRef sizes, at::ScalarType type = at::kFloat) { return at::randn(sizes).to(type); }

Kernel softmaxKernel() {
    KernelMaker m;
    const int scores = m.load(DType::f32, ComputeType::f32), mask = m.load(DType::f32, ComputeType::f32);
    const int scaled = m.op(Opcode::mul, ComputeType::f32, {scores, m.constant(ComputeType::f32, 0.125)});
    const int x = m.op(Opcode::add, ComputeType::f32, {scaled, mask});
    const int most = m.op(Opcode::reduceMax, ComputeType::f32, {x});
    const int power = m.op(Opcode::exp, ComputeType::f32, {m.op(Opcode::sub, ComputeType::f32, {x, most})});
    const int sum = m.op(Opcode::reduceSum, ComputeType::f32, {power});
    m.output(m.op(Opcode::div, ComputeType::f32, {power, sum}), DType::f32);
    m.output(sum, DType::f32);
    return m.kernel;
}

Kernel layerNormKernel(int width) {
    KernelMaker m;
    const int x = m.load(DType::f32, ComputeType::f32), weight = m.load(DType::f32, ComputeType::f32);
    const int inverse = m.constant(ComputeType::f32, 1. / width);
    const int mean = m.op(Opcode::mul, ComputeType::f32, {m.op(Opcode::reduceSum, ComputeType::f32, {x}), inverse});
    const int centered = m.op(Opcode::sub, ComputeType::f32, {x, mean});
    const int square = m.op(Opcode::mul, ComputeType::f32, {centered, centered});
    const int variance =
        m.op(Opcode::mul, ComputeType::f32, {m.op(Opcode::reduceSum, ComputeType::f32, {square}), inverse});
    const int root = m.op(Opcode::rsqrt, ComputeType::f32,
                          {m.op(Opcode::add, ComputeType::f32, {variance, m.constant(ComputeType::f32, 1e-5)})});
    m.output(m.op(Opcode::mul, ComputeType::f32, {m.op(Opcode::mul, ComputeType::f32, {centered, root}), weight}),
             DType::f32);
    m.output(mean, DType::f32);
    return m.kernel;
}

/// Kernels on small integers, so that every order of operations gives the same result.
class RandomKernel {
public:
    explicit RandomKernel(std::uint32_t seed) : random_(seed) {
        chooseSpace();
        for (int i = 0, count = 1 + below(4); i < count; ++i) addInput();
        add(maker_.constant(ComputeType::f32, below(7) - 3), 3);
        add(maker_.number(ComputeType::f64), 4);
        numbers_.emplace_back(double(below(9) - 4));
        for (int i = 0, count = 3 + below(12); i < count; ++i) addOperation();
        for (int i = 0, count = 1 + below(3); i < count; ++i) addOutput();
    }
    std::string failure() const { return ::failure(maker_.kernel, inputs_, space_, 0, numbers_); }

private:
    struct Bounded {
        int value;
        double bound;
    };

    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    ComputeType computeTypeOf(int value) const { return maker_.kernel.code[value].computeType; }
    void add(int value, double bound) { values_.push_back({value, bound}); }
    int as(ComputeType computeType, int value) {
        return computeTypeOf(value) == computeType ? value : maker_.op(Opcode::convert, computeType, {value});
    }

    void chooseSpace() {
        constexpr int sizes[] = {1, 1, 2, 3, 5, 7, 16, 17, 33, 64, 100, 130};
        std::int64_t elements = 1;
        const int rank = below(5);
        for (int d = 0; d < rank; ++d) {
            std::int64_t size = below(60) == 0 ? 0 : sizes[below(12)];
            if (below(25) == 0 && elements < 20) size = 1000 + below(4000);
            if (elements * size > 60000) size = 2;
            elements *= size;
            space_.push_back(size);
            if (below(3) == 0) maker_.kernel.reduced.push_back(d);
        }
        maker_.kernel.rank = rank;
        reducedCount_ = 1;
        for (int d : maker_.kernel.reduced) reducedCount_ *= static_cast<double>(std::max<std::int64_t>(1, space_[d]));
    }

    /// Any order of dimensions, gaps, broadcasting. The first has all sizes.
    void addInput() {
        constexpr DType dtypes[] = {DType::f32,  DType::f32, DType::f32, DType::f64, DType::f16,
                                    DType::bf16, DType::i64, DType::i32, DType::u8,  DType::b8};
        constexpr ComputeType computeTypes[] = {
            ComputeType::f32, ComputeType::f32, ComputeType::f32, ComputeType::f64, ComputeType::f32,
            ComputeType::f32, ComputeType::i64, ComputeType::i64, ComputeType::i64, ComputeType::boolean};
        const int kind = below(10);
        const auto rank = static_cast<int>(space_.size());
        std::vector<std::int64_t> sizes = space_, order;
        for (int d = 0; d < rank; ++d) {
            if (!inputs_.empty() && below(4) == 0) sizes[d] = 1;
            order.push_back(d);
        }
        if (below(3) == 0) std::shuffle(order.begin(), order.end(), random_);
        std::vector<std::int64_t> stored(order.size()), back(order.size());
        for (int d = 0; d < rank; ++d) {
            stored[d] = sizes[order[d]];
            back[order[d]] = d;
        }
        const bool gaps = rank > 0 && below(5) == 0;
        if (gaps) stored.back() *= 2;
        at::Tensor tensor = at::randint(0, 4, stored, at::kLong).to(scalarType(dtypes[kind]));
        if (gaps) tensor = tensor.slice(-1, 0, std::nullopt, 2);
        tensor = tensor.permute(back);
        if (!inputs_.empty() && below(6) == 0) tensor = tensor.expand(space_);
        inputs_.push_back(tensor);
        add(maker_.load(dtypes[kind], computeTypes[kind]), 3);
    }

    void addOperation() {
        const Bounded a = values_[below(static_cast<int>(values_.size()))],
                      b = values_[below(static_cast<int>(values_.size()))];
        if (below(3) == 0 && !maker_.kernel.reduced.empty()) return addReduction(a);
        constexpr ComputeType computeTypes[] = {ComputeType::f32, ComputeType::f32, ComputeType::f64, ComputeType::i64};
        const ComputeType computeType = computeTypes[below(4)];
        const int x = as(computeType, a.value), y = as(computeType, b.value);
        const double sum = a.bound + b.bound, most = std::max(a.bound, b.bound);
        switch (below(10)) {
            case 0: return sum < kMost ? add(maker_.op(Opcode::add, computeType, {x, y}), sum) : void();
            case 1: return sum < kMost ? add(maker_.op(Opcode::sub, computeType, {x, y}), sum) : void();
            case 2:
                return a.bound * b.bound < kMost ? add(maker_.op(Opcode::mul, computeType, {x, y}), a.bound * b.bound)
                                                 : void();
            case 3: return add(maker_.op(Opcode::minimum, computeType, {x, y}), most);
            case 4: return add(maker_.op(Opcode::maximum, computeType, {x, y}), most);
            case 5: return add(maker_.op(Opcode::neg, computeType, {x}), a.bound);
            case 6: return add(maker_.op(Opcode::abs, computeType, {x}), a.bound);
            case 7: return add(maker_.op(Opcode::sign, computeType, {x}), 1);
            case 8: return add(maker_.op(Opcode::less, ComputeType::boolean, {x, y}), 1);
            default: {
                const int condition = as(ComputeType::boolean, values_[below(static_cast<int>(values_.size()))].value);
                return add(maker_.op(Opcode::where, computeType, {condition, x, y}), most);
            }
        }
    }

    void addReduction(const Bounded& a) {
        const bool empty = std::any_of(space_.begin(), space_.end(), [](std::int64_t size) { return size == 0; });
        if (!empty && below(2) == 0)
            return add(
                maker_.op(below(2) == 0 ? Opcode::reduceMin : Opcode::reduceMax, computeTypeOf(a.value), {a.value}),
                a.bound);
        const int value = computeTypeOf(a.value) == ComputeType::boolean ? as(ComputeType::i64, a.value) : a.value;
        if (a.bound * reducedCount_ < kMost)
            add(maker_.op(Opcode::reduceSum, computeTypeOf(value), {value}), a.bound * reducedCount_);
    }

    void addOutput() {
        const int recent = std::min(6, static_cast<int>(values_.size()));
        const Bounded a = values_[values_.size() - 1 - below(recent)];
        const ComputeType computeType = computeTypeOf(a.value);
        DType dtype = dtypeOf(computeType);
        if (a.bound < 200 && below(3) == 0)
            dtype = computeType == ComputeType::f32   ? (below(2) == 0 ? DType::f16 : DType::bf16)
                    : computeType == ComputeType::i64 ? DType::i32
                                                      : dtype;
        maker_.output(a.value, dtype);
    }

    static constexpr double kMost = 1 << 23;
    std::mt19937 random_;
    KernelMaker maker_;
    std::vector<std::int64_t> space_;
    double reducedCount_ = 1;
    Tensors inputs_;
    std::vector<c10::Scalar> numbers_;
    std::vector<Bounded> values_;
};

}  // namespace

class TestFusedKernels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        initializeTorch();
        at::manual_seed(1);
    }

    // --- operations ---

    void operations_data() {
        QTest::addColumn<int>("op");
        QTest::addColumn<int>("computeType");
        for (int op = 0; op <= static_cast<int>(Opcode::reduceMax); ++op)
            for (int computeType = 0; computeType < 4; ++computeType)
                if (hasOperation(static_cast<Opcode>(op), static_cast<ComputeType>(computeType)))
                    QTest::addRow("%s %d", std::string(name(static_cast<Opcode>(op))).c_str(), computeType)
                        << op << computeType;
    }
    void operations() {
        QFETCH(int, op);
        QFETCH(int, computeType);
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
        COMPARE_KERNEL(m.kernel, {column.expand({n, n}).contiguous(), row.expand({n, n}).contiguous()}, {n, n},
                       tolerance);
        for (std::int64_t i = 0; i < n; ++i) {
            COMPARE_KERNEL(m.kernel, {row, values[i].reshape({1, 1})}, {1, n}, tolerance);
            COMPARE_KERNEL(m.kernel, {values[i].reshape({1, 1}), row}, {1, n}, tolerance);
        }
    }

    void conversions() {
        for (const ComputeType from : {ComputeType::f32, ComputeType::f64, ComputeType::i64, ComputeType::boolean})
            for (const ComputeType to : {ComputeType::f32, ComputeType::f64, ComputeType::i64, ComputeType::boolean}) {
                KernelMaker m;
                m.output(m.op(Opcode::convert, to, {m.load(dtypeOf(from), from)}), dtypeOf(to));
                m.kernel.rank = 1;
                COMPARE_KERNEL(m.kernel, {at::randint(-3, 3, {77}).to(scalarType(from))}, {77});
            }
    }

    void narrowAndStore() {
        const at::Tensor reals =
            at::cat({at::randn({300}, at::kDouble) * 1e3, edgeValues(ComputeType::f64, Opcode::add)});
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

    void integersAreExact() {
        KernelMaker m;
        const int x = m.load(DType::i64, ComputeType::i64);
        m.output(m.op(Opcode::add, ComputeType::i64, {x, m.constant(ComputeType::i64, 1)}), DType::i64);
        m.kernel.rank = 1;
        COMPARE_KERNEL(m.kernel, {at::full({40}, (1L << 53) + 2, at::kLong)}, {40});
    }

    void divisionByZeroIsAnError() {
        KernelMaker m;
        const int x = m.load(DType::i64, ComputeType::i64);
        m.output(m.op(Opcode::floorDivide, ComputeType::i64, {x, m.constant(ComputeType::i64, 0)}), DType::i64);
        m.kernel.rank = 1;
        QVERIFY_EXCEPTION_THROWN(failure(m.kernel, {at::ones({40}, at::kLong)}, {40}), c10::Error);
    }

    void signsOfZero() {
        KernelMaker m;
        m.output(m.op(Opcode::neg, ComputeType::f32, {m.load(DType::f32, ComputeType::f32)}), DType::f32);
        m.kernel.rank = 1;
        const Tensors result = emptyOutputs(m.kernel, {20});
        makeCpuKernel(m.kernel)->run(Tensors{at::zeros({20})}, {}, result);
        QVERIFY(at::signbit(result[0]).all().item<bool>());
    }

    void randomKernels() {
        for (std::uint32_t seed = 0; seed < 1000; ++seed) {
            at::manual_seed(seed);
            std::string text;
            try {
                text = RandomKernel(seed).failure();
            } catch (const std::exception& e) {
                text = e.what();
            }
            QVERIFY2(text.empty(), c10::str("seed ", seed, ": ", text).c_str());
        }
    }

    // --- memory ---

    void outputsMayOverwriteInputs() {
        KernelMaker m;
        const int a = m.load(DType::f32, ComputeType::f32);
        const int doubled = m.op(Opcode::add, ComputeType::f32, {a, a});
        const int square = m.op(Opcode::mul, ComputeType::f32, {a, a});
        m.output(doubled, DType::f32);  // over the input, which is read again
        m.output(square, DType::f32);
        m.output(a, DType::f32);
        m.kernel.rank = 2;
        const at::Tensor input = randomTensor({70, 90});
        const Tensors expected = runByLibTorch(m.kernel, {input}, {}, {70, 90});
        Tensors results = emptyOutputs(m.kernel, {70, 90});
        results[0] = input.clone();
        makeCpuKernel(m.kernel)->run(Tensors{results[0]}, {}, results);
        for (int i = 0; i < 3; ++i) QCOMPARE(difference(results[i], expected[i], 0), std::string());
    }

    void outputsOfAnyStrides() {
        KernelMaker m;
        const int a = m.load(DType::f32, ComputeType::f32), b = m.load(DType::f32, ComputeType::f32);
        m.output(m.op(Opcode::add, ComputeType::f32, {a, b}), DType::f32);
        m.output(m.op(Opcode::mul, ComputeType::f32, {a, b}), DType::f32);
        m.kernel.rank = 4;
        const at::Tensor x = randomTensor({3, 8, 20, 30}),
                         y = randomTensor({3, 8, 20, 30}).contiguous(at::MemoryFormat::ChannelsLast);
        const Tensors results = {at::zeros({3, 8, 20, 30}).contiguous(at::MemoryFormat::ChannelsLast),
                                 at::zeros({30, 20, 8, 3}).permute({3, 2, 1, 0})};
        makeCpuKernel(m.kernel)->run(Tensors{x, y}, {}, results);
        QVERIFY(at::equal(results[0], x + y) && at::equal(results[1], x * y));
    }

    // --- reductions ---

    void reductions_data() {
        QTest::addColumn<std::vector<std::int64_t>>("space");
        QTest::addColumn<std::vector<int>>("reduced");
        const auto row = [](const char* name, std::vector<std::int64_t> space, std::vector<int> reduced) {
            QTest::newRow(name) << space << reduced;
        };
        row("rows", {300, 768}, {1});
        row("columns", {512, 3072}, {0});
        row("few columns", {40000, 3}, {0});
        row("some columns", {30000, 40}, {0});
        row("all", {1000, 1003}, {0, 1});
        row("a long row", {3, 300000}, {1});
        row("rows of one", {1000, 1}, {1});
        row("rows of two", {5000, 2}, {1});
        row("channels", {8, 5, 40, 41}, {0, 2, 3});
        row("outer and inner", {7, 300, 9}, {0, 2});
        row("middle", {7, 300, 90}, {1});
        row("nothing", {5, 0}, {1});
        row("no rows", {0, 5}, {1});
        row("no dimensions", {}, {});
    }
    void reductions() {
        QFETCH(std::vector<std::int64_t>, space);
        QFETCH(std::vector<int>, reduced);
        const bool some = c10::multiply_integers(space) > 0;
        for (const ComputeType computeType :
             {ComputeType::f32, ComputeType::f64, ComputeType::i64, ComputeType::boolean}) {
            KernelMaker m;
            const int x = m.load(dtypeOf(computeType), computeType), signs = m.load(dtypeOf(computeType), computeType);
            m.kernel.rank = static_cast<int>(space.size());
            m.kernel.reduced = reduced;
            const auto add = [&](Opcode op, int value) {
                m.output(m.op(op, computeType, {value}), dtypeOf(computeType));
            };
            if (reduced.empty()) m.output(x, dtypeOf(computeType));
            else if (some) add(Opcode::reduceMin, x), add(Opcode::reduceMax, x);
            if (!reduced.empty() && computeType != ComputeType::boolean)
                add(Opcode::reduceSum, x), add(Opcode::reduceProd, signs);
            // Numbers whose sums and products are exact.
            const at::Tensor numbers = at::randint(-50, 50, space).to(scalarType(computeType));
            const at::Tensor units = (at::randint(0, 2, space) * 2 - 1).to(scalarType(computeType));
            COMPARE_KERNEL(m.kernel, {numbers, units}, space);
            if (space.size() < 2) continue;
            const at::Tensor turned = numbers.transpose(0, -1).contiguous().transpose(0, -1);
            COMPARE_KERNEL(m.kernel, {turned, units.transpose(0, -1).contiguous().transpose(0, -1)}, space);
        }
    }

    void notANumber() {
        for (const std::vector<int>& reduced : {std::vector{0}, std::vector{1}}) {
            KernelMaker m;
            const int x = m.load(DType::f32, ComputeType::f32);
            for (const Opcode op : {Opcode::reduceSum, Opcode::reduceMin, Opcode::reduceMax})
                m.output(m.op(op, ComputeType::f32, {x}), DType::f32);
            m.kernel.rank = 2;
            m.kernel.reduced = reduced;
            at::Tensor input = randomTensor({90, 70});
            input[3][4] = std::numeric_limits<float>::quiet_NaN();
            input[80][69] = std::numeric_limits<float>::quiet_NaN();
            COMPARE_KERNEL(m.kernel, {input}, {90, 70}, 1e-5);
        }
    }

    void softmax() {
        Kernel kernel = softmaxKernel();
        kernel.rank = 4;
        for (const int dim : {3, 2, 0})
            for (const std::int64_t width : {1, 5, 128, 20000}) {
                kernel.reduced = {dim};
                const std::vector<std::int64_t> space = {2, 3, width > 1000 ? 2 : 33, width};
                COMPARE_KERNEL(kernel, {randomTensor(space), randomTensor({2, 1, 1, width})}, space, 1e-5);
            }
    }

    void layerNorm() {
        for (const int width : {3, 768, 5000, 70000}) {
            Kernel kernel = layerNormKernel(width);
            kernel.rank = 2;
            kernel.reduced = {1};
            COMPARE_KERNEL(kernel, {randomTensor({20, width}) + 3, randomTensor({1, width})}, {20, width}, 2e-5);
        }
    }

    void sumsOfManyAreExact() {
        KernelMaker m;
        m.output(m.op(Opcode::reduceSum, ComputeType::f32, {m.load(DType::f32, ComputeType::f32)}), DType::f32);
        m.kernel.rank = 2;
        for (const std::vector<int>& reduced : {std::vector{0}, std::vector{1}}) {
            m.kernel.reduced = reduced;
            COMPARE_KERNEL(m.kernel, {at::rand({3000, 3000}) + 1}, {3000, 3000}, 1e-6);
        }
    }

    // --- threads ---

    void concurrentCalls() {
        Kernel kernel = softmaxKernel();
        kernel.rank = 2;
        kernel.reduced = {1};
        const auto made = makeCpuKernel(kernel);
        const Tensors inputs = {randomTensor({600, 200}), randomTensor({1, 200})};
        const Tensors expected = runByLibTorch(kernel, inputs, {}, {600, 200});
        std::vector<std::string> differences(4);
        std::vector<std::thread> threads;
        for (std::string& text : differences)
            threads.emplace_back([&] {
                for (int i = 0; i < 20; ++i) {
                    const Tensors results = emptyOutputs(kernel, {600, 200});
                    made->run(inputs, {}, results);
                    text += difference(results[0], expected[0], 1e-5);
                }
            });
        for (std::thread& thread : threads) thread.join();
        for (const std::string& text : differences) QCOMPARE(text, std::string());
    }
};

QTEST_GUILESS_MAIN(TestFusedKernels)
#include "test_fused_kernels.moc"
