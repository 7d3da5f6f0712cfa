// Random kernels, and the placement of their outputs in memory.

#include "kernel_tests.h"
#include "test_fused_kernels.h"

#include "compile/fused/fused_kernel.h"
#include "support/fused_reference.h"

#include <ATen/ATen.h>

#include <random>

using namespace aotscope;
using namespace aotscope::test;

namespace {

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

void TestFusedKernels::randomKernels() {
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

void TestFusedKernels::outputsMayOverwriteInputs() {
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

void TestFusedKernels::outputsOfAnyStrides() {
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
