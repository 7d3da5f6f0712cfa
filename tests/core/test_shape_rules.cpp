// Every shape rule against the kernel whose results it foretells, on random arguments.

#include "ops/shape_rules.h"
#include "session.h"
#include "support/rule_arguments.h"
#include "support/text.h"
#include "trace/convert.h"
#include "trace/evaluate.h"
#include "trace/fake_tensor.h"

#include <ATen/ops/empty.h>

#include <QtTest>

using namespace aotscope;
using namespace aotscope::test;

namespace {

std::string describe(const c10::IValue& value) {
    if (!value.isTensor()) return c10::str(value);
    const at::Tensor& t = value.toTensor();
    if (!t.defined()) return "undefined";
    // Strides of dimensions that hold at most one element say nothing about memory.
    std::string strides;
    for (int64_t i = 0; i < t.dim(); ++i)
        strides += (i ? ", " : "") + (t.numel() > 0 && t.size(i) > 1 ? std::to_string(t.stride(i)) : "*");
    return c10::str(t.scalar_type(), t.sizes(), "[", strides, "]");
}

std::string describeAll(const Values& values) {
    std::string text;
    for (const auto& value : values) text += (text.empty() ? "" : ", ") + describe(value);
    return text;
}

Values foretell(const std::string& name, const Values& arguments, FakeEvaluator& evaluator) {
    Values stack;
    for (const auto& value : arguments)
        stack.push_back(value.isTensor() && value.toTensor().defined() ? c10::IValue(fakeLike(value.toTensor()))
                                                                       : value);
    const Values fakes = stack;
    const auto dot = name.find('.');
    const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(
        name.substr(0, dot).c_str(), dot == std::string::npos ? "" : name.substr(dot + 1).c_str());
    evaluator.run(op, stack);
    // In-place results are the very tensors that came in.
    for (std::size_t i = 0; i < stack.size(); ++i)
        if (op.schema().is_mutable() && op.schema().returns()[i].alias_info() &&
            !stack[i].toTensor().is_same(fakes[0].toTensor()))
            throw Error("result " + std::to_string(i) + " is a new tensor");
    return stack;
}

/// Gradients that the caller did not ask for may be there all the same.
void leaveOutUnasked(Values& results, const Values& arguments) {
    if (!arguments.back().isBoolList()) return;
    const auto asked = arguments.back().toBoolList();
    for (std::size_t i = 0; i < results.size(); ++i)
        if (!asked[i]) results[i] = at::Tensor();
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
        const auto it = generators().find(name.toStdString());
        QVERIFY2(it != generators().end(), qPrintable(QStringLiteral("no generator for '%1'").arg(name)));
        const char* kernel = it->second.kernel ? it->second.kernel : it->first.c_str();
        int differing = 0;
        QString first;
        for (unsigned seed = 1; seed <= 100; ++seed) {
            Random random(seed);
            const Values arguments = it->second.arguments(random);
            const std::string before = describeAll(arguments);
            FakeEvaluator evaluator;
            const std::string foretold = describeAll(foretell(it->first, arguments, evaluator));
            QVERIFY(evaluator.fallbacks().empty());
            Values results = call(kernel, arguments);
            leaveOutUnasked(results, arguments);
            const std::string real = describeAll(results);
            if (foretold == real || ++differing > 1) continue;
            first = QStringLiteral("seed %1, arguments %2:\n   foretold %3\n   really   %4")
                        .arg(seed)
                        .arg(q(before), q(foretold), q(real));
        }
        QVERIFY2(differing == 0, qPrintable(QStringLiteral("%1 of 100 differ; %2").arg(differing).arg(first)));
    }

    void everyGeneratorHasARule() {
        const auto names = shapeRuleNames();
        for (const auto& [name, generator] : generators())
            QVERIFY2(std::binary_search(names.begin(), names.end(), name), name.c_str());
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
        FakeEvaluator evaluator;
        try {
            foretell(name.section(QLatin1Char('.'), 0, 0).toStdString(), arguments.at(name), evaluator);
            QFAIL("accepted");
        } catch (const std::exception& e) {
            QVERIFY2(q(e.what()).contains(message), e.what());
        }
    }
};

QTEST_GUILESS_MAIN(TestShapeRules)
#include "test_shape_rules.moc"
