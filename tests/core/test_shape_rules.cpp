// Every shape rule against the kernel whose results it predicts, on random arguments.

#include "aten/convert.h"
#include "ops/shapes/rules.h"
#include "ops/trace_method.h"
#include "session/session.h"
#include "support/error.h"
#include "support/outcomes.h"
#include "support/schema_arguments.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/ops/empty.h>

namespace aotscope::test::shape_rules_test {
namespace {

/// Fails unless tracing predicted every call that the kernel accepted, without running it.
void verify(const std::string& name, int wanted, int least) {
    const Trials trials = tryOperator(name, wanted);
    QVERIFY2(
        trials.differing == 0,
        qPrintable(u"%1 of %2 differ; %3"_s.arg(trials.differing).arg(trials.accepted).arg(q(trials.firstDifference))));
    for (const auto& [op, count] : trials.fallbacks) QFAIL(("a real kernel ran for " + op).c_str());
    QVERIFY2(trials.accepted >= least, qPrintable(u"only %1 accepted"_s.arg(trials.accepted)));
}

QStringList lines(const QString& path) {
    QFile file(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/") + path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
}

}  // namespace

class TestShapeRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rule_data() {
        QTest::addColumn<QString>("name");
        // Rules for other devices have no kernel to compare with here.
        for (const auto& name : shapeRuleNames())
            if (isOperator(name) && (generators().count(name) ||
                                     operatorNamed(name).hasComputedKernelForDispatchKey(c10::DispatchKey::CPU)))
                QTest::newRow(name.c_str()) << q(name);
    }
    void rule() {
        QFETCH(QString, name);
        // All arguments of a generator are valid, but only some of those guessed from a schema.
        verify(name.toStdString(), 100, generators().count(name.toStdString()) ? 90 : 40);
    }

    /// LibTorch's kernels may write as many elements as there are, whatever the strides.
    void writtenArgumentsShareNoMemory() {
        const auto& schema = operatorNamed("aten::rrelu_with_noise").schema();
        Random random(1);
        for (int i = 0; i < 200; ++i)
            QVERIFY(at::has_internal_overlap(schemaArguments(schema, random)[1].toTensor()) != at::MemOverlap::Yes);
    }

    void operatorsOfModels_data() {
        QTest::addColumn<QString>("name");
        const QStringList names = lines(u"model_operators.txt"_s);
        QVERIFY(!names.isEmpty());
        for (const auto& name : names) QTest::newRow(qPrintable(name)) << name;
    }
    /// Operators of common models, however they are traced: LibTorch's meta kernels are sometimes wrong.
    void operatorsOfModels() {
        QFETCH(QString, name);
        if (!isOperator(name.toStdString())) QSKIP("this LibTorch does not know the operator");
        verify(name.toStdString(), 50, 20);
    }

    void attentionOnCuda_data() {
        const auto row = columns<QString, QString>("name", "expected");
        // The results of CUDA's kernels for half-precision queries of sizes (2, 3, 5, 8), stored as (2, 5, 3, 8).
        row("flash", "aten::_scaled_dot_product_flash_attention",
            "Half[2, 3, 5, 8][120, 8, 24, 1], Float[2, 3, 5][15, 5, 1], undefined, undefined, "
            "UInt64[2][1], UInt64[][], Half[0][*], Int, Int");
        row("efficient", "aten::_scaled_dot_product_efficient_attention",
            "Half[2, 3, 5, 16][240, 16, 48, 1], Float[2, 3, 32][96, 32, 1], Long[][], "
            "Long[][]");
        row("cudnn", "aten::_scaled_dot_product_cudnn_attention",
            "Half[2, 3, 5, 16][240, 16, 48, 1], Float[2, 3, 5, 1][15, 5, 1, *], undefined, "
            "undefined, Long[][], Long[][], undefined, Int, Int");
        row("efficient backward", "aten::_scaled_dot_product_efficient_attention_backward",
            "Half[2, 3, 5, 8][120, 8, 24, 1], Half[2, 3, 7, 8][168, 8, 24, 1], Half[2, 3, 7, 16][336, 16, 48, 1], "
            "Half[2, 3, 5, 7][240, 80, 16, 1]");
    }
    void attentionOnCuda() {
        FETCH(QString, name, expected);
        const auto meta = [](const Sizes& sizes) {
            return at::empty(sizes, at::TensorOptions(at::kHalf).device(at::kMeta));
        };
        const bool flash = name.endsWith("flash_attention"_L1), backward = name.endsWith("backward"_L1);
        const at::Tensor query = meta({2, 5, 3, 8}).transpose(1, 2), key = meta({2, 3, 7, 8}),
                         value = meta({2, 3, 7, flash ? 8 : 16}), bias = meta({2, 3, 5, 7}),
                         output = meta({2, 3, 5, 16});
        Values arguments = {query, key, value, c10::IValue(), true};
        if (flash) arguments = {query, key, value, 0.0, false, false};
        if (backward)
            arguments = {
                output, query, key, value, bias, output, {}, {}, {}, 0.0, c10::List<bool>({true, true, true, true}),
                false};
        const auto rule = findShapeRule({name.toStdString(), ""});
        QVERIFY(rule);
        QCOMPARE(q(describe(rule({arguments, c10::Device(c10::kCUDA, 0)}), arguments)), expected);
    }

    /// Only GPUs have these kernels.
    void kernelsOfGpus() {
        const auto meta = [](const Sizes& sizes) {
            return at::empty(sizes, at::TensorOptions(at::kHalf).device(at::kMeta));
        };
        const auto foretold = [](const c10::OperatorName& name, const Values& arguments) {
            return q(describe(findShapeRule(name)({arguments, c10::Device(c10::kCUDA, 0)}), arguments));
        };
        const Values product = {meta({2, 3}), meta({3, 4}), at::kFloat},
                     products = {meta({5, 2, 3}), meta({5, 3, 4}), at::kFloat};
        const auto after = [&](Values arguments) {
            arguments.insert(arguments.begin(), meta({4}));
            return arguments;
        };
        QCOMPARE(foretold({"aten::mm", "dtype"}, product), u"Float[2, 4][4, 1]"_s);
        QCOMPARE(foretold({"aten::addmm", "dtype"}, after(product)), u"Float[2, 4][4, 1]"_s);
        QCOMPARE(foretold({"aten::bmm", "dtype"}, products), u"Float[5, 2, 4][8, 4, 1]"_s);
        QCOMPARE(foretold({"aten::baddbmm", "dtype"}, after(products)), u"Float[5, 2, 4][8, 4, 1]"_s);
        QCOMPARE(foretold({"aten::_fused_rms_norm_backward", ""}, {meta({2, 3}), meta({2, 3}), Sizes{3}, meta({2, 1}),
                                                                   meta({3}), c10::List<bool>({true, true})}),
                 u"Half[2, 3][3, 1], Half[3][1]"_s);
        QCOMPARE(
            foretold({"aten::_conv_depthwise2d", ""},
                     {meta({2, 3, 5, 5}), meta({3, 1, 3, 3}), Sizes{3, 3}, {}, Sizes{1, 1}, Sizes{0, 0}, Sizes{1, 1}}),
            u"Half[2, 3, 3, 3][27, 9, 3, 1]"_s);
    }

    void withoutARule() {
        // Forward-mode derivatives have neither a rule nor a meta kernel.
        const auto f = [](const Sizes& sizes) { return c10::IValue(at::empty(sizes, at::kFloat)); };
        const std::string name = "aten::glu_jvp";
        QVERIFY(traceMethod(operatorNamed(name)) == TraceMethod::realKernel);
        QCOMPARE(q(foretell(name, {f({2, 3}), f({2, 6}), f({2, 6}), int64_t{1}})), u"Float[2, 3][3, 1]"_s);
        const int64_t large = int64_t{1} << 27;
        try {
            (void)foretell(name, {f({large}), f({2 * large}), f({2 * large}), int64_t{0}});
            QFAIL("a real kernel ran on gigabytes");
        } catch (const Error& e) {
            QVERIFY2(q(e.what()).contains(u"operator 'aten::glu_jvp' has no shape rule"_s), e.what());
        }
    }

    void impossibleShapesAreRefused_data() {
        const auto row = columns<QString, QString>("name", "message");
        row("channels", "aten::convolution", "to have 3 channels");
        row("rank", "aten::convolution.rank", "Expected 4-dimensional input");
        row("kernel", "aten::convolution.kernel", "Kernel size can't be greater than actual input size");
        row("layer norm", "aten::native_layer_norm", "expects an input that ends with these sizes");
        row("group norm", "aten::native_group_norm", "divisible by num_groups");
        row("pooling", "aten::_adaptive_avg_pool2d", "Expected 3D or 4D");
        row("padding", "aten::reflection_pad2d", "Padding size should be less than the corresponding input dimension");
        row("index dtype", "aten::index_select", "Expected dtype int32 or int64 for index");
        row("matrix", "aten::linalg_eig", "must be batches of square matrices");
        row("distances", "aten::_cdist_forward", "with the same number of columns");
        row("loss", "aten::nll_loss2d_forward", "size mismatch");
        row("dimension", "aten::count_nonzero", "Dimension out of range");
        row("embedding dtype", "aten::embedding", "expected indices of dtype int64 or int32");
    }
    void impossibleShapesAreRefused() {
        FETCH(QString, name, message);
        const auto f = [](const Sizes& sizes) { return c10::IValue(at::empty(sizes, at::kFloat)); };
        const Sizes one = {1, 1}, none = {0, 0};
        const std::map<QString, Values> arguments = {
            {u"aten::convolution"_s, {f({1, 2, 5, 5}), f({4, 3, 3, 3}), {}, one, none, one, false, none, int64_t{1}}},
            {u"aten::convolution.rank"_s, {f({2, 5}), f({4, 2, 3, 3}), {}, one, none, one, false, none, int64_t{1}}},
            {u"aten::convolution.kernel"_s,
             {f({1, 2, 2, 2}), f({4, 2, 3, 3}), {}, one, none, one, false, none, int64_t{1}}},
            {u"aten::native_layer_norm"_s, {f({2, 3}), Sizes{4}, {}, {}, 1e-5}},
            {u"aten::native_group_norm"_s,
             {f({2, 4, 3}), {}, {}, int64_t{2}, int64_t{4}, int64_t{3}, int64_t{3}, 1e-5}},
            {u"aten::_adaptive_avg_pool2d"_s, {f({4, 4}), one}},
            {u"aten::reflection_pad2d"_s, {f({1, 2, 2}), Sizes{2, 0, 0, 0}}},
            {u"aten::index_select"_s, {f({2, 2}), int64_t{0}, f({1})}},
            {u"aten::linalg_eig"_s, {f({2, 3})}},
            {u"aten::_cdist_forward"_s, {f({2, 3}), f({2, 4}), 1.0, {}}},
            {u"aten::nll_loss2d_forward"_s, {f({1, 2, 3, 3}), f({1, 3, 4}), {}, int64_t{0}, int64_t{-100}}},
            {u"aten::count_nonzero"_s, {f({2}), int64_t{3}}},
            {u"aten::embedding"_s, {f({4, 3}), f({2}), int64_t{-1}, false, false}},
        };
        try {
            (void)foretell(name.section(u'.', 0, 0).toStdString(), arguments.at(name));
            QFAIL("accepted");
        } catch (const std::exception& e) {
            QVERIFY2(q(e.what()).contains(message), e.what());
        }
    }
};

AOTSCOPE_TEST(TestShapeRules)

}  // namespace aotscope::test::shape_rules_test

#include "test_shape_rules.moc"
