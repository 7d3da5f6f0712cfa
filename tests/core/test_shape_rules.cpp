// Every shape rule against the kernel whose results it foretells, on random arguments.

#include "ops/shape_rules.h"
#include "session.h"
#include "support/outcomes.h"
#include "support/text.h"
#include "trace/convert.h"

#include <ATen/ops/empty.h>

#include <QtTest>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// Fails unless tracing foretold every call that the kernel accepted, without running it.
void verify(const std::string& name, int wanted, int least) {
    const Trials trials = tryOperator(name, wanted);
    QVERIFY2(trials.differing == 0, qPrintable(QStringLiteral("%1 of %2 differ; %3")
                                                   .arg(trials.differing)
                                                   .arg(trials.accepted)
                                                   .arg(q(trials.firstDifference))));
    for (const auto& [op, count] : trials.fallbacks) QFAIL(("a real kernel ran for " + op).c_str());
    QVERIFY2(trials.accepted >= least, qPrintable(QStringLiteral("only %1 accepted").arg(trials.accepted)));
}

QStringList lines(const QString& path) {
    QFile file(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/") + path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

}  // namespace

class TestShapeRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }

    void rule_data() {
        QTest::addColumn<QString>("name");
        for (const auto& name : shapeRuleNames()) QTest::newRow(name.c_str()) << q(name);
    }
    void rule() {
        QFETCH(QString, name);
        // A generator's arguments all fit; of arguments guessed from a schema some do.
        verify(name.toStdString(), 100, generators().count(name.toStdString()) ? 90 : 40);
    }

    void operatorsOfModels_data() {
        QTest::addColumn<QString>("name");
        const QStringList names = lines(QStringLiteral("model_operators.txt"));
        QVERIFY(!names.isEmpty());
        for (const auto& name : names) QTest::newRow(qPrintable(name)) << name;
    }
    /// Operators of usual models, whoever knows their shapes: LibTorch's meta kernels are wrong at times.
    void operatorsOfModels() {
        QFETCH(QString, name);
        verify(name.toStdString(), 100, 20);
    }

    void impossibleShapesAreRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("message");
        QTest::newRow("channels") << "aten::convolution"
                                  << "to have 3 channels";
        QTest::newRow("rank") << "aten::convolution.rank"
                              << "Expected 4-dimensional input";
        QTest::newRow("kernel") << "aten::convolution.kernel"
                                << "Kernel size can't be greater than actual input size";
        QTest::newRow("layer norm") << "aten::native_layer_norm"
                                    << "expects an input that ends with these sizes";
        QTest::newRow("embedding dtype") << "aten::embedding"
                                         << "expected indices of dtype int64 or int32";
    }
    void impossibleShapesAreRefused() {
        QFETCH(QString, name);
        QFETCH(QString, message);
        const auto f = [](const Sizes& sizes) { return c10::IValue(at::empty(sizes, at::kFloat)); };
        const Sizes one = {1, 1}, none = {0, 0};
        const std::map<QString, Values> arguments = {
            {QStringLiteral("aten::convolution"),
             {f({1, 2, 5, 5}), f({4, 3, 3, 3}), {}, one, none, one, false, none, int64_t{1}}},
            {QStringLiteral("aten::convolution.rank"),
             {f({2, 5}), f({4, 2, 3, 3}), {}, one, none, one, false, none, int64_t{1}}},
            {QStringLiteral("aten::convolution.kernel"),
             {f({1, 2, 2, 2}), f({4, 2, 3, 3}), {}, one, none, one, false, none, int64_t{1}}},
            {QStringLiteral("aten::native_layer_norm"), {f({2, 3}), Sizes{4}, {}, {}, 1e-5}},
            {QStringLiteral("aten::embedding"), {f({4, 3}), f({2}), int64_t{-1}, false, false}},
        };
        try {
            (void)foretell(name.section(QLatin1Char('.'), 0, 0).toStdString(), arguments.at(name));
            QFAIL("accepted");
        } catch (const std::exception& e) {
            QVERIFY2(q(e.what()).contains(message), e.what());
        }
    }
};

QTEST_GUILESS_MAIN(TestShapeRules)
#include "test_shape_rules.moc"
