// GPU kernels on a machine without a GPU: their sources are compared with golden files, compiled by NVRTC where it is
// available, and run on the CPU, thread by thread.

#include "aten/fake_tensor.h"
#include "compile/fused/cuda/launch.h"
#include "compile/fused/cuda/nvrtc.h"
#include "compile/fused/fused_kernel.h"
#include "device/device.h"
#include "device/stand_in_properties.h"
#include "session/session.h"
#include "support/emulated_cuda.h"
#include "support/error.h"
#include "support/golden.h"
#include "support/indexed_kernel.h"
#include "support/kernel_code.h"
#include "support/models.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/ATen.h>

#include <functional>

namespace aotscope::test::fused_cuda_test {
namespace {

using Tensors = std::vector<at::Tensor>;
using Scalars = std::vector<c10::Scalar>;

/// Compiles the source with NVRTC if available, then runs it on the CPU. Returns an error or a difference, or nothing.
QString differs(const Kernel& kernel, const Tensors& inputs, const Scalars& numbers, const Tensors& outputs,
                const Tensors& expected, const std::function<void(CudaLaunch&)>& change = {}) {
    CudaLaunch launch(kernel, inputs, numbers, outputs);
    if (change) change(launch);
    const std::string text = cudaText(kernel, launch.form);
    try {
        if (nvrtc().missing().empty()) nvrtc().compile(text, 9, 0);
    } catch (const Error& e) {
        return q(e.what()) + u'\n' + q(text);
    }
    if (launch.blocks > 0)
        if (const std::string why = runEmulated(text, launch); !why.empty()) return q(why);
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (!close(outputs[i], expected[i])) {
            std::ostringstream both;
            both << "output " << i << ":\n" << outputs[i] << "\nexpected:\n" << expected[i] << "\n" << text;
            return q(both.str());
        }
    return {};
}
QString differs(const Kernel& kernel, const Tensors& inputs, const Scalars& numbers, const Tensors& expected) {
    Tensors outputs;
    for (const at::Tensor& tensor : expected) outputs.push_back(at::full_like(tensor, 7, at::MemoryFormat::Contiguous));
    return differs(kernel, inputs, numbers, outputs, expected);
}

#define SAME(...)                                 \
    do {                                          \
        const QString why = differs(__VA_ARGS__); \
        QVERIFY2(why.isEmpty(), qPrintable(why)); \
    } while (false)

}  // namespace

class TestFusedCuda : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        at::manual_seed(1);
        if (!nvrtc().missing().empty()) qWarning("texts are not compiled by NVRTC: %s", nvrtc().missing().c_str());
    }

    // --- sources ---

    void golden_data() {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* name, const Kernel& kernel, const CudaForm& form) {
            QTest::newRow(name) << QByteArray::fromStdString(cudaText(kernel, form));
        };
        row("pointwise", geluOfSum(2), {2, 0});
        row("pointwise_wide", geluOfSum(3), {3, 0, true});
        row("pointwise_packed", geluOfSum(2), {2, 0, false, false, 4, {false, true}});
        row("softmax_rows", softmaxKernel(2, {1}), {1, 1});
        row("layer_norm", layerNorm(), {1, 1});
        row("sum_columns", sum(4, {0, 2}), {2, 2, false, true});
        row("sum_all", sum(2, {0, 1}), {0, 1});
    }
    void golden() {
        QFETCH(QByteArray, text);
        const QString name = u"fused/%1.cu"_s.arg(QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(compareWithGolden(name, text), QString());
    }

    void typesWithoutArithmetic() {
        for (const DType dtype : {DType::c64, DType::f8e4m3fn, DType::qi8}) {
            Code code(1);
            code.output(code.load(dtype, ComputeType::f32));
            const QString error = errorOf([&] { cudaText(code.kernel, {}); });
            QVERIFY2(error.contains(q(longName(dtype))), qPrintable(error));
        }
    }

    // --- results ---

    void everyOpcode_data() {
        QTest::addColumn<int>("computeType");
        for (const ComputeType computeType :
             {ComputeType::f32, ComputeType::f64, ComputeType::i64, ComputeType::boolean})
            QTest::newRow(dtypeOf(computeType) == DType::b8 ? "boolean" : longName(dtypeOf(computeType)).data())
                << static_cast<int>(computeType);
    }
    void everyOpcode() {
        if (hostCompiler().empty()) QSKIP("no C++ compiler is found; the translations are not run");
        QFETCH(int, computeType);
        const auto of = static_cast<ComputeType>(computeType);
        const EveryOpcode every = aotscope::test::everyOpcode(of);
        SAME(every.kernel, every.inputs, {}, every.expected);
    }

    void powersOfIntegers() {
        if (hostCompiler().empty()) QSKIP("no C++ compiler is found; the translations are not run");
        const at::Tensor base = at::tensor({-1, -1, 1, 2, -3, -2, 7}, at::kLong);
        const at::Tensor exponent = at::tensor({-3, -2, -5, -1, 3, 4, 0}, at::kLong);
        Code code(1);
        const int a = code.load(DType::i64, ComputeType::i64), b = code.load(DType::i64, ComputeType::i64);
        code.output(code.op(Opcode::pow, ComputeType::i64, a, b), DType::i64);
        SAME(code.kernel, {base, exponent}, {}, {at::tensor({-1, 1, 1, 0, -27, 16, 1}, at::kLong)});
    }

    void everyType() {
        if (hostCompiler().empty()) QSKIP("no C++ compiler is found; the translations are not run");
        const at::Tensor x = values(ComputeType::f32), counts = at::arange(24).view({4, 6});
        Code code(2);
        Tensors inputs, expected;
        const auto output = [&](int value, DType dtype, const at::Tensor& tensor) {
            code.output(value, dtype);
            expected.push_back(tensor);
        };
        for (const DType dtype : {DType::f16, DType::bf16, DType::f32, DType::f64}) {
            inputs.push_back(x.to(typeOf(dtype)));
            for (const ComputeType computeType : {ComputeType::f32, ComputeType::f64})
                output(code.load(dtype, computeType), DType::f64, inputs.back().to(at::kDouble)),
                    inputs.push_back(inputs.back());
            inputs.pop_back();
        }
        inputs.push_back(x.to(at::kDouble).mul(1.2345));
        const int real = code.load(DType::f64, ComputeType::f64);
        for (const DType dtype : {DType::f16, DType::bf16, DType::f32}) {
            output(real, dtype, inputs.back().to(typeOf(dtype)));
            output(code.narrow(dtype, ComputeType::f64, real), DType::f64,
                   inputs.back().to(typeOf(dtype)).to(at::kDouble));
        }
        output(code.op(Opcode::convert, ComputeType::boolean, real), DType::b8, inputs.back().to(at::kBool));
        for (const DType dtype : {DType::u8, DType::i8, DType::i16, DType::i32, DType::i64, DType::u16, DType::b8}) {
            inputs.push_back(counts.to(typeOf(dtype)));
            output(code.load(dtype, ComputeType::i64), DType::i64, inputs.back().to(at::kLong));
        }
        inputs.push_back(counts.mul(123456789));
        const int integer = code.load(DType::i64, ComputeType::i64);
        for (const DType dtype : {DType::u8, DType::i8, DType::i16, DType::i32}) {
            output(integer, dtype, inputs.back().to(typeOf(dtype)));
            output(code.narrow(dtype, ComputeType::i64, integer), DType::i64,
                   inputs.back().to(typeOf(dtype)).to(at::kLong));
        }
        output(code.op(Opcode::convert, ComputeType::f32, integer), DType::f32, inputs.back().to(at::kFloat));
        output(code.op(Opcode::convert, ComputeType::boolean, integer), DType::b8, inputs.back().to(at::kBool));
        SAME(code.kernel, inputs, {}, expected);
    }

    /// Every bit pattern of the half types, read and written.
    void halves() {
        if (hostCompiler().empty()) QSKIP("no C++ compiler is found; the translations are not run");
        const at::Tensor bits = at::arange(-32768, 32768, at::kShort);
        for (const DType dtype : {DType::f16, DType::bf16}) {
            const at::Tensor x = bits.view(typeOf(dtype));
            Code code(1);
            const int value = code.load(dtype, ComputeType::f32);
            const int shifted = code.f(Opcode::mul, value, code.constant(1.0009765625));
            code.output(value);
            code.output(shifted, dtype);
            const at::Tensor wide = x.to(at::kFloat);
            const Tensors outputs = {at::empty_like(wide), at::empty_like(x)};
            const Tensors expected = {wide, wide.mul(1.0009765625).to(typeOf(dtype))};
            SAME(code.kernel, {x}, {}, outputs, expected);
            const auto same =
                (outputs[1] == expected[1]).logical_or(outputs[1].isnan().logical_and(expected[1].isnan()));
            QVERIFY(same.all().item<bool>());  // to the last bit
        }
    }

    void constants() {
        if (hostCompiler().empty()) QSKIP("no C++ compiler is found; the translations are not run");
        Code code(1);
        const int x = code.load(DType::f32, ComputeType::f32);
        Tensors expected;
        for (const double value : {0.1, -1e-30, 1e20, double(INFINITY), -double(INFINITY), double(NAN), 3.0}) {
            code.output(code.constant(value));
            expected.push_back(at::full({3}, value, at::kFloat));
            code.output(code.constant(value, ComputeType::f64), DType::f64);
            expected.push_back(at::full({3}, value, at::kDouble));
        }
        for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-5}}) {
            Instruction instruction{Opcode::constant, ComputeType::i64};
            instruction.integer = value;
            code.output(code.add(instruction), DType::i64);
            expected.push_back(at::full({3}, value, at::kLong));
        }
        code.output(code.f(Opcode::mul, x, code.number(ComputeType::i64, ComputeType::f32)));
        expected.push_back(at::full({3}, 14, at::kFloat));
        code.output(code.op(Opcode::convert, ComputeType::boolean, code.number(ComputeType::f64, ComputeType::f64)),
                    DType::b8);
        expected.push_back(at::full({3}, true, at::kBool));
        SAME(code.kernel, {at::full({3}, 2, at::kFloat)}, {7, 0.25}, expected);
    }

    // --- memory layouts ---

    void pointwise_data() {
        const auto row = columns<QString, int, int>("how", "kept", "pack");
        row("contiguous", 1, 4);
        row("odd", 1, 1);
        row("bias", 2, 4);
        row("column", 2, 4);
        row("scalar", 1, 4);
        row("transposed", 3, 1);
        row("all transposed", 1, 4);
        row("shifted", 1, 1);
        row("sliced", 2, 1);
        row("everything", 4, 1);
        row("wide", 4, 1);
        row("empty", 2, 4);
        row("one element", 0, 1);
    }
    void pointwise() {
        if (hostCompiler().empty()) QSKIP("no C++ compiler is found; the translations are not run");
        QFETCH(QString, how);
        FETCH(int, kept, pack);
        using Sizes = std::vector<std::int64_t>;
        const auto is = [&](const char* name) { return how == QLatin1String(name); };
        Sizes sizes = {3, 4, 5, 8};
        if (is("odd")) sizes = {3, 1, 5, 7};
        if (is("empty")) sizes = {3, 0, 5, 8};
        if (is("one element")) sizes = {1, 1, 1, 1};
        at::Tensor x = at::randn(sizes), b = at::randn(sizes).to(at::kHalf), y = at::zeros(sizes);
        if (is("bias")) b = b.slice(0, 0, 1).slice(1, 0, 1).slice(2, 0, 1);
        if (is("column")) b = b.slice(3, 0, 1).contiguous();
        if (is("scalar")) b = b.flatten()[5].view({1, 1, 1, 1});
        if (is("transposed")) x = at::randn({3, 4, 8, 5}).transpose(2, 3);
        if (is("all transposed")) {
            x = at::randn({8, 5, 4, 3}).permute({3, 2, 1, 0}),
            b = at::randn({8, 5, 4, 3}).to(at::kHalf).permute({3, 2, 1, 0});
            y = at::zeros({8, 5, 4, 3}).permute({3, 2, 1, 0});
        }
        if (is("shifted")) x = at::randn({481}).slice(0, 1).view(sizes);
        if (is("sliced")) y = at::zeros({3, 4, 5, 9}).slice(3, 0, 8);
        if (is("everything") || is("wide")) {
            x = at::randn({4, 3, 8, 5}).permute({1, 0, 3, 2}), b = b.slice(1, 0, 1);
            y = at::zeros({3, 5, 8, 4}).permute({0, 3, 1, 2});
        }
        const at::Tensor sum = x.mul(2).add(b.to(at::kFloat));
        const at::Tensor expected = sum.mul(0.5).mul(sum.mul(0.7071067811865476).erf().add(1));
        const auto change = [&](CudaLaunch& launch) {
            launch.form.wide = launch.form.wide || is("wide");
            if (launch.blocks > 0) launch.blocks = 2, launch.threadsX = 32;  // threads go on with further elements
            QCOMPARE(launch.form.kept, kept);
            QCOMPARE(launch.form.pack, pack);
        };
        SAME(geluOfSum(4), {x, b}, {2.0}, {y}, {expected}, change);
    }

    void inPlace() {
        if (hostCompiler().empty()) QSKIP("no C++ compiler is found; the translations are not run");
        const at::Tensor x = at::randn({40}), b = at::zeros({40}, at::kHalf);
        const at::Tensor expected = at::gelu(x.mul(2));
        SAME(geluOfSum(1), {x, b}, {2.0}, {x}, {expected});
    }

    // --- reductions ---

    void softmax_data() {
        const auto row = columns<QList<int>, QList<int>, bool>("sizes", "over", "columns");
        row("short rows", {6, 5}, {1}, false);
        row("rows", {9, 100}, {1}, false);
        row("long rows", {3, 1500}, {1}, false);
        row("longer rows", {2, 4100}, {1}, false);
        row("columns", {5, 40}, {0}, true);
        row("longer columns", {100, 40}, {0}, true);
        row("middle", {2, 20, 7}, {1}, true);
        row("two", {3, 4, 5, 6}, {1, 3}, false);
        row("all", {5, 6}, {0, 1}, false);
        row("one", {5, 1}, {1}, false);
    }
    void softmax() {
        if (hostCompiler().empty()) QSKIP("no C++ compiler is found; the translations are not run");
        QFETCH(QList<int>, sizes);
        QFETCH(QList<int>, over);
        QFETCH(bool, columns);
        const std::vector<std::int64_t> shape(sizes.begin(), sizes.end()), dims(over.begin(), over.end());
        const at::Tensor x = at::randn(shape), y = at::empty(shape);
        const at::Tensor e = x.sub(x.amax(dims, true)).exp();
        const auto change = [&](CudaLaunch& launch) { QCOMPARE(launch.form.columns, columns); };
        SAME(softmaxKernel(static_cast<int>(shape.size()), {over.begin(), over.end()}), {x}, {}, {y},
             {e / e.sum(dims, true)}, change);
    }

    void layerNormOfSum() {
        if (hostCompiler().empty()) QSKIP("no C++ compiler is found; the translations are not run");
        for (const std::int64_t size : {24, 1100}) {
            const at::Tensor x = at::randn({5, size}).to(at::kBFloat16),
                             residual = at::randn({5, size}).to(at::kBFloat16);
            const at::Tensor weight = at::randn({1, size}), added = x + residual;
            const auto [y, mean, scale] = at::native_layer_norm(added.to(at::kFloat), {size}, weight[0], {}, 1e-5);
            SAME(layerNorm(), {x, residual, weight}, {size}, {added, y.to(at::kBFloat16), mean, scale});
        }
    }

    void sums() {
        if (hostCompiler().empty()) QSKIP("no C++ compiler is found; the translations are not run");
        const at::Tensor x = at::randn({3, 5, 4, 6});
        for (const std::vector<int>& over :
             std::vector<std::vector<int>>{{0}, {3}, {1, 2}, {0, 2, 3}, {0, 3}, {0, 1, 2}}) {
            const std::vector<std::int64_t> dims(over.begin(), over.end());
            SAME(sum(4, over), {x}, {}, {x.sum(dims, true)});
            const at::Tensor last = x.contiguous(at::MemoryFormat::ChannelsLast);
            SAME(sum(4, over), {last}, {}, {x.sum(dims, true)});
        }
        SAME(sum(2, {1}), {at::empty({3, 0})}, {}, {at::zeros({3, 1})});
        SAME(sum(2, {1}), {at::empty({0, 3})}, {}, {at::zeros({0, 1})});
    }

    void indexed_data() {
        QTest::addColumn<int>("dtype");
        for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i64, DType::i32})
            QTest::newRow(longName(dtype).data()) << static_cast<int>(dtype);
    }
    void indexed() {
        if (hostCompiler().empty()) QSKIP("no C++ compiler is found; the translations are not run");
        QFETCH(int, dtype);
        for (std::uint32_t seed = 1; seed <= 8; ++seed)
            for (const bool accumulates : {false, true}) {
                const IndexedKernel random(seed, static_cast<DType>(dtype), accumulates);
                SAME(random.kernel(), random.inputs(), {}, {random.emptyResult()}, {random.expected()});
            }
    }

    void everyReduction_data() { everyOpcode_data(); }
    void everyReduction() {
        if (hostCompiler().empty()) QSKIP("no C++ compiler is found; the translations are not run");
        QFETCH(int, computeType);
        const auto of = static_cast<ComputeType>(computeType);
        const at::Tensor x = values(of);
        for (const int dim : {0, 1}) {
            Code code(2, {dim});
            const int value = code.load(dtypeOf(of), of);
            Tensors expected;
            const auto output = [&](Opcode op, const at::Tensor& tensor) {
                code.output(code.op(op, of, value), dtypeOf(of));
                expected.push_back(tensor);
            };
            if (of != ComputeType::boolean)
                output(Opcode::reduceSum, x.sum(dim, true)), output(Opcode::reduceProd, x.prod(dim, true));
            output(Opcode::reduceMin, x.amin(dim, true));
            output(Opcode::reduceMax, x.amax(dim, true));
            SAME(code.kernel, {x}, {}, expected);
        }
    }

    // --- without NVRTC, without a GPU ---

    void withoutNvrtc() {
        const Nvrtc none({"libnvrtc-that-is-not-there.so"});
        QVERIFY(q(none.missing()).contains(u"is not found (tried 'libnvrtc-that-is-not-there.so')"_s));
        const Nvrtc other({"libdl.so.2"});
        QVERIFY(q(other.missing()).contains(u"too old"_s));
        if (nvrtc().missing().empty()) QSKIP("NVRTC is at hand");
        const QString error = errorOf([] { makeCudaKernel(sum(1, {0})); });
        QVERIFY2(error.startsWith(u"cannot compile kernels for the GPU: NVRTC"_s), qPrintable(error));
        QVERIFY2(error.contains(u"nvidia-cuda-nvrtc"_s), qPrintable(error));
    }

    void nvrtcErrorsAreReported() {
        if (!nvrtc().missing().empty()) QSKIP("NVRTC is not at hand");
        const QString error = errorOf([] { nvrtc().compile("__global__ void fused() { nothing(); }", 9, 0); });
        QVERIFY2(error.contains(u"\"nothing\" is undefined"_s), qPrintable(error));
        QVERIFY(errorOf([] { nvrtc().compile("", 2, 0); }).contains(u"this one has 2.0"_s));
        const std::string text = cudaText(sum(1, {0}), {0, 1});
        QVERIFY(q(nvrtc().compile(text, 99, 0)).contains(u".visible .entry fused"_s));
    }

    void aSimulatedGpuRunsNothing() {
        if (!nvrtc().missing().empty()) QSKIP("NVRTC is not at hand");
        prepareDevice("cuda:0");
        if (whyDeviceCannotRun("cuda:0").empty()) QSKIP("there is a GPU");
        const auto fake = [](c10::IntArrayRef sizes) {
            return makeFake(at::empty(sizes, at::TensorOptions(at::kMeta)), c10::Device(at::kCUDA, 0));
        };
        const auto kernel = makeCudaKernel(sum(2, {1}));
        const QString error = errorOf([&] { kernel->run({fake({2, 3})}, {}, {fake({2, 1})}); });
        QVERIFY2(error.contains(q(kStandInGpu)), qPrintable(error));
    }
};

AOTSCOPE_TEST(TestFusedCuda)

}  // namespace aotscope::test::fused_cuda_test

#include "test_fused_cuda.moc"
