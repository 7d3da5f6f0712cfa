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
Kernel twoAdditions(DType dtype = DType::f32) {
    KernelMaker m;
    const ComputeType type = *computeTypeOf(dtype);
    const int x = m.load(dtype, type), index = m.load(DType::i64, ComputeType::i64);
    const int offset = offsetOf(m, index, -1, 0);
    m.output(x, dtype);
    m.output(m.op(Opcode::add, type, {x, x}), dtype);
    for (KernelOutput& output : m.kernel.outputs) output.offsets[0] = offset;
    m.kernel.rank = 2;
    m.kernel.sequential = {1};
    return m.kernel;
}

}  // namespace

/// As in interpolation: larger, smaller, of the same size, with gaps, repeated often.
void TestFusedKernels::ascendingIndices_data() {
    columns<int, int, int>("dtype", "positions", "elements");
    for (const DType dtype : {DType::f32, DType::f64})
        for (const int positions : {5, 16, 33, 64, 200, 700, 1500})
            for (const int elements :
                 {1, positions / 4 + 1, positions / 2 + 1, positions, positions * 2, positions * 9})
                QTest::addRow("%s: %d in %d", std::string(longName(dtype)).c_str(), positions, elements)
                    << static_cast<int>(dtype) << positions << elements;
}
void TestFusedKernels::ascendingIndices() {
    FETCH(int, dtype, positions, elements);
    const auto type = static_cast<DType>(dtype);
    const at::Tensor regular = at::arange(positions).mul(elements).div(positions, "floor");
    const at::Tensor irregular = std::get<0>(at::randint(elements, {positions}, at::kLong).sort());
    const auto numbers = [&](c10::IntArrayRef sizes) { return at::randint(9, sizes).to(scalarType(type)); };
    for (const at::Tensor& index :
         {regular, irregular, irregular.flip({0}), at::randint(elements, {positions}, at::kLong)}) {
        const at::Tensor x = numbers({7, positions}), ones = at::ones({7, elements}, x.options());
        const at::Tensor found = ones.clone().view({7, 1, elements});
        makeCpuKernel(twoAdditions(type))->run(Tensors{x, index.view({1, -1})}, {}, Tensors{found, found});
        const at::Tensor added = at::index_add(ones, 1, index, x * 3);
        QCOMPARE(q(difference(found.view({7, -1}), added, 0)), QString());

        KernelMaker m;
        const int input = indexedInput(m, type), at = m.load(DType::i64, ComputeType::i64);
        m.output(m.op(Opcode::gather, *computeTypeOf(type), {offsetOf(m, at, input, 0)}), type);
        m.kernel.rank = 2;
        COMPARE_KERNEL(m.kernel, {numbers({7, 1, elements}), index.view({1, -1})}, {7, positions});
    }
}

namespace {

/// Reads and adds up a volume at one index, and one weight, for each of its dimensions, and at positions.
Kernel readVolume(DType dtype) {
    KernelMaker m;
    const ComputeType type = *computeTypeOf(dtype);
    const int volume = indexedInput(m, dtype);
    std::array<std::int32_t, 3> offsets{-1, -1, -1};
    int factor = m.constant(type, 1);
    for (int d = 0; d < 3; ++d) {
        offsets[static_cast<std::size_t>(d)] = offsetOf(m, m.load(DType::i64, ComputeType::i64), volume, d);
        factor = m.op(Opcode::mul, type, {factor, m.load(dtype, type)});
        factor = m.op(Opcode::add, type, {factor, m.op(Opcode::convert, type, {positionAlong(m, d + 1)})});
    }
    const int read = m.op(Opcode::gather, type, {offsets[0], offsets[1], offsets[2]});
    m.output(m.op(Opcode::mul, type, {read, factor}), dtype);
    m.kernel.rank = 4;
    return m.kernel;
}

}  // namespace

/// Short loops are run as one, although indices and weights depend on one of them only.
void TestFusedKernels::shortLoops_data() {
    columns<int, int, int, int>("channels", "depth", "height", "width");
    for (const auto& [c, d, h, w] : std::vector<std::array<int, 4>>{
             {6, 5, 6, 7}, {40, 8, 8, 8}, {4, 3, 16, 16}, {5, 1, 9, 31}, {2, 3, 4, 5}, {9, 70, 3, 3}, {4, 30, 30, 30}})
        QTest::addRow("%d of %d, %d, %d", c, d, h, w) << c << d << h << w;
}
void TestFusedKernels::shortLoops() {
    FETCH(int, channels, depth, height, width);
    for (const DType dtype : {DType::f32, DType::f64, DType::i64, DType::bf16}) {
        const auto numbers = [&](c10::IntArrayRef sizes) { return at::randint(3, sizes).to(scalarType(dtype)); };
        Tensors inputs = {numbers({channels, 1, 1, 1, 4, 5, 6})};
        for (int d = 0; d < 3; ++d) {
            std::vector<std::int64_t> sizes = {1, 1, 1, 1};
            sizes[static_cast<std::size_t>(d) + 1] = std::array{depth, height, width}[static_cast<std::size_t>(d)];
            inputs.push_back(at::randint(-4 - d, 4 + d, sizes, at::kLong));
            inputs.push_back(numbers(sizes));
        }
        COMPARE_KERNEL(readVolume(dtype), inputs, {channels, depth, height, width});
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
