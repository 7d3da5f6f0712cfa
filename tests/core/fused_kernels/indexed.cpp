// Kernels that read and accumulate elements at indices, and compute with positions.

#include "kernel_tests.h"
#include "test_fused_kernels.h"

#include "support/indexed_kernel.h"
#include "support/text.h"

#include <ATen/Parallel.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

void dtypeRows() {
    QTest::addColumn<int>("dtype");
    for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i64, DType::i32, DType::u8})
        QTest::addRow("%s", std::string(longName(dtype)).c_str()) << static_cast<int>(dtype);
}

std::string failureOf(const IndexedKernel& indexed) {
    const at::Tensor found = indexed.emptyResult();
    makeCpuKernel(indexed.kernel())->run(indexed.inputs(), {}, {found});
    return difference(found, indexed.expected(), 0);
}

}  // namespace

void TestFusedKernels::positions() {
    for (int d = 0; d < 3; ++d) {
        KernelMaker m;
        const int x = m.load(DType::i64, ComputeType::i64);
        m.output(m.op(Opcode::add, ComputeType::i64, {x, positionAlong(m, d)}), DType::i64);
        m.kernel.rank = 3;
        COMPARE_KERNEL(m.kernel, {at::randint(9, {5, 70, 300}, at::kLong)}, {5, 70, 300});
        COMPARE_KERNEL(m.kernel, {at::randint(9, {300, 1, 3}, at::kLong)}, {300, 7, 3});
        COMPARE_KERNEL(m.kernel, {at::randint(9, {6, 4, 500}, at::kLong).permute({2, 0, 1})}, {500, 6, 4});
        m.kernel.reduced = {0, 2};
        m.kernel.outputs[0].value = m.op(Opcode::reduceSum, ComputeType::i64, {m.kernel.outputs[0].value});
        COMPARE_KERNEL(m.kernel, {at::randint(9, {30, 4, 500}, at::kLong)}, {30, 4, 500});
    }
}

void TestFusedKernels::gathers_data() { dtypeRows(); }
void TestFusedKernels::gathers() {
    QFETCH(int, dtype);
    for (std::uint32_t seed = 1; seed <= 150; ++seed) {
        const std::string text = failureOf(IndexedKernel(seed, static_cast<DType>(dtype), false));
        QVERIFY2(text.empty(), qPrintable(u"seed %1: %2"_s.arg(seed).arg(q(text))));
    }
}

void TestFusedKernels::accumulates_data() { dtypeRows(); }
void TestFusedKernels::accumulates() {
    QFETCH(int, dtype);
    for (std::uint32_t seed = 1; seed <= 150; ++seed) {
        const std::string text = failureOf(IndexedKernel(seed, static_cast<DType>(dtype), true));
        QVERIFY2(text.empty(), qPrintable(u"seed %1: %2"_s.arg(seed).arg(q(text))));
    }
}

namespace {

/// Adds an input [channels, n], and then twice of it, at one index for each position.
Kernel twoAdditions() {
    KernelMaker m;
    const int x = m.load(DType::f32, ComputeType::f32), index = m.load(DType::i64, ComputeType::i64);
    const int offset = offsetOf(m, index, -1, 0);
    m.output(x, DType::f32);
    m.output(m.op(Opcode::add, ComputeType::f32, {x, x}), DType::f32);
    for (KernelOutput& output : m.kernel.outputs) output.offsets[0] = offset;
    m.kernel.rank = 2;
    m.kernel.sequential = {1};
    return m.kernel;
}

}  // namespace

/// As in interpolation: larger, smaller, of the same size, with gaps, repeated often.
void TestFusedKernels::ascendingIndices_data() {
    columns<int, int>("positions", "elements");
    for (const int positions : {5, 16, 33, 64, 200, 700, 1500})
        for (const int elements : {1, positions / 4 + 1, positions / 2 + 1, positions, positions * 2, positions * 9})
            QTest::addRow("%d in %d", positions, elements) << positions << elements;
}
void TestFusedKernels::ascendingIndices() {
    FETCH(int, positions, elements);
    const at::Tensor regular = at::arange(positions).mul(elements).div(positions, "floor");
    const at::Tensor irregular = std::get<0>(at::randint(elements, {positions}, at::kLong).sort());
    for (const at::Tensor& index :
         {regular, irregular, irregular.flip({0}), at::randint(elements, {positions}, at::kLong)}) {
        const at::Tensor x = at::randint(9, {7, positions}).to(at::kFloat), found = at::ones({7, 1, elements});
        makeCpuKernel(twoAdditions())->run(Tensors{x, index.view({1, -1})}, {}, Tensors{found, found});
        const at::Tensor added = at::index_add(at::ones({7, elements}), 1, index, x * 3);
        QCOMPARE(q(difference(found.view({7, -1}), added, 0)), QString());

        KernelMaker m;
        const int input = indexedInput(m, DType::f32), at = m.load(DType::i64, ComputeType::i64);
        m.output(m.op(Opcode::gather, ComputeType::f32, {offsetOf(m, at, input, 0)}), DType::f32);
        m.kernel.rank = 2;
        const at::Tensor read = at::randn({7, 1, elements});
        COMPARE_KERNEL(m.kernel, {read, index.view({1, -1})}, {7, positions});
    }
}

void TestFusedKernels::accumulationsShareAnOutput() {
    const at::Tensor x = at::randint(9, {7, 5000}).to(at::kFloat), index = at::randint(40, {1, 5000}, at::kLong);
    const at::Tensor found = at::zeros({7, 1, 40});
    makeCpuKernel(twoAdditions())->run(Tensors{x, index}, {}, Tensors{found, found});
    const at::Tensor expected = at::index_add(at::zeros({7, 40}), 1, index.view(-1), x * 3);
    QCOMPARE(q(difference(found.view({7, 40}), expected, 0)), QString());
}

/// Whatever the number of threads, values are added in the same order.
void TestFusedKernels::accumulationsAreRepeatable() {
    const at::Tensor x = at::randn({64, 20000}), index = at::randint(3, {1, 20000}, at::kLong);
    Tensors results;
    for (const int threads : {1, 2, 5}) {
        at::set_num_threads(threads);
        results.push_back(at::zeros({64, 1, 3}));
        makeCpuKernel(twoAdditions())->run(Tensors{x, index}, {}, Tensors{results.back(), results.back()});
    }
    at::set_num_threads(1);
    QVERIFY(at::equal(results[0], results[1]) && at::equal(results[0], results[2]));
}

void TestFusedKernels::indicesOutOfRange_data() {
    columns<int, int, QString>("rule", "index", "message");
    const auto row = [](const char* name, IndexRule rule, int index, const char* message) {
        QTest::newRow(name) << static_cast<int>(rule) << index << QString::fromLatin1(message);
    };
    row("behind the end", IndexRule::wraps, 10, "index 10 is out of bounds for dimension 0 with size 10");
    row("before the beginning", IndexRule::wraps, -11, "index -11 is out of bounds for dimension 0 with size 10");
    row("negative", IndexRule::wraps, -10, "");
    row("negative, counted", IndexRule::counts, -1, "index -1 is out of bounds for dimension 0 with size 10");
    row("of an embedding", IndexRule::embedded, 10, "index out of range in self");
    row("negative, of an embedding", IndexRule::embedded, -1, "index out of range in self");
}
void TestFusedKernels::indicesOutOfRange() {
    FETCH(int, rule, index);
    QFETCH(QString, message);
    KernelMaker m;
    const int input = indexedInput(m, DType::f32);
    const int at = m.load(DType::i64, ComputeType::i64);
    const int offset = offsetOf(m, at, input, 0, static_cast<IndexRule>(rule));
    m.output(m.op(Opcode::gather, ComputeType::f32, {offset}), DType::f32);
    m.kernel.rank = 1;
    const at::Tensor indices = at::zeros({3000}, at::kLong), result = at::empty({3000});
    indices[2345] = index;
    QString error;
    try {
        makeCpuKernel(m.kernel)->run(Tensors{at::randn({1, 10}), indices}, {}, Tensors{result});
    } catch (const c10::IndexError& e) {
        error = QString::fromStdString(e.what_without_backtrace());
    }
    QCOMPARE(error, message);
}

/// No positions, and no elements to read.
void TestFusedKernels::nothingIsIndexed() {
    const at::Tensor found = at::ones({2, 1, 40});
    makeCpuKernel(twoAdditions())
        ->run(Tensors{at::empty({2, 0}), at::empty({1, 0}, at::kLong)}, {}, Tensors{found, found});
    QVERIFY(at::equal(found, at::ones({2, 1, 40})));
    QVERIFY_EXCEPTION_THROWN(makeCpuKernel(twoAdditions())
                                 ->run(Tensors{at::ones({2, 3}), at::zeros({1, 3}, at::kLong)}, {},
                                       Tensors{at::ones({2, 1, 0}), at::ones({2, 1, 0})}),
                             c10::IndexError);
}
