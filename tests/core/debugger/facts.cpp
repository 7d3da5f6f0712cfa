// Statistics, histograms and images of values.

#include "debugged_programs.h"
#include "test_debugger.h"

#include "debug/measure.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>
#include <numeric>

using namespace aotscope;
using namespace aotscope::test;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

}  // namespace

void TestDebugger::facts_data() {
    QTest::addColumn<QString>("expected");
    QTest::newRow("f32") << "f32[4]: 4 elements from -1 to 2, mean 0.5, deviation 1.29099 | -1 0 1 2 | 0";
    QTest::newRow("f16") << "f16[4]: 4 elements from -1 to 2, mean 0.5, deviation 1.29099 | -1 0 1 2 | 0";
    QTest::newRow("bf16") << "bf16[4]: 4 elements from -1 to 2, mean 0.5, deviation 1.29099 | -1 0 1 2 | 0";
    QTest::newRow("i8") << "i8[4]: 4 elements from -1 to 2, mean 0.5, deviation 1.29099 | -1 0 1 2 | 1 1 1 1";
    QTest::newRow("b8") << "b8[4]: 4 elements from 0 to 1, mean 0.75, deviation 0.5 | 1 0 1 1 | 1 3";
    QTest::newRow("c64") << "c64[4]: 4 absolute values from 0 to 2, mean 1, deviation 0.816497 | 1 0 1 2 | 0";
    QTest::newRow("scalar") << "f32[]: 1 element from 3 to 3, mean 3, deviation 0 | 3 | 1";
    QTest::newRow("empty") << "f32[0, 3]: 0 elements | |";
    QTest::newRow("some NaN") << "f32[4]: 4 elements from 1 to 2, mean 1.5, deviation 0.707107, 1 NaN, 1 infinite | "
                                 "nan 1 -inf 2 | 0";
    QTest::newRow("all NaN") << "f32[2]: 2 elements, 2 NaNs | nan nan |";
    QTest::newRow("large")
        << "f32[2]: 2 elements from -3e+38 to 3e+38, mean 0, deviation 4.24264e+38 | -3e+38 3e+38 | 0";
    QTest::newRow("int") << "int: 7 | 7 | 1";
    QTest::newRow("none") << "None | |";
}
void TestDebugger::facts() {
    QFETCH(QString, expected);
    const at::Tensor t = at::arange(-1, 3, at::kFloat);
    const std::map<std::string, c10::IValue> values = {{"f32", t},
                                                       {"f16", t.to(at::kHalf)},
                                                       {"bf16", t.to(at::kBFloat16)},
                                                       {"i8", t.to(at::kChar)},
                                                       {"b8", t.to(at::kBool)},
                                                       {"c64", at::complex(at::zeros({4}), t)},
                                                       {"scalar", at::full({}, 3, at::kFloat)},
                                                       {"empty", at::zeros({0, 3})},
                                                       {"some NaN", at::tensor({kNaN, 1., -kInf, 2.}, at::kFloat)},
                                                       {"all NaN", at::full({2}, kNaN, at::kFloat)},
                                                       {"large", at::tensor({-3e38, 3e38}, at::kFloat)},
                                                       {"int", 7},
                                                       {"none", {}}};
    const ValueFacts facts = factsOf(values.at(QTest::currentDataTag()));
    std::string text = textOf(facts);
    const std::int64_t counted = std::accumulate(facts.histogram.begin(), facts.histogram.end(), std::int64_t{0});
    QCOMPARE(counted, facts.elements - facts.nans - facts.infs);
    if (expected.endsWith(u"| 0"_s)) text = text.substr(0, text.rfind('|')) + "| 0";
    if (facts.histogram.empty()) text = QString::fromStdString(text).trimmed().toStdString();
    QCOMPARE(q(text).replace(u"-nan"_s, u"nan"_s), expected);
}

void TestDebugger::factsOfRandomTensorsAreThoseOfTorch() {
    const at::Tensor t = at::randn({50, 3, 7}).transpose(0, 2);
    const ValueFacts facts = factsOf(t);
    QCOMPARE(facts.sizes, (std::vector<std::int64_t>{7, 3, 50}));
    QVERIFY(std::abs(facts.mean - t.mean().item<double>()) < 1e-6);
    QVERIFY(std::abs(facts.deviation - t.std().item<double>()) < 1e-6);
    QCOMPARE(facts.min, t.min().item<double>());
    QCOMPARE(facts.absMax, t.abs().max().item<double>());
    QCOMPARE(facts.first.size(), std::size_t{64});
    const at::Tensor flat = t.reshape({-1});
    for (int i = 0; i < 64; ++i) QCOMPARE(facts.first[static_cast<std::size_t>(i)], flat[i].item<double>());
}

void TestDebugger::imagesAreTheLastTwoDimensions() {
    const at::Tensor t = at::arange(24, at::kFloat).view({2, 3, 4});
    const auto image = imageOf(t, {1});
    QVERIFY(image && image->rows == 3 && image->columns == 4);
    for (std::size_t i = 0; i < 12; ++i) QCOMPARE(image->cells[i], 12.0 + static_cast<double>(i));
    QCOMPARE(imageOf(t, {})->cells[0], 0.0);
    QVERIFY(!imageOf(at::zeros({3}), {}) && !imageOf(at::zeros({3, 0}), {}) && !imageOf(c10::IValue(3), {}));
    QVERIFY(errorOf([&] { (void)imageOf(t, {2}); }).contains(u"no index 2 in dimension 0"_s));
    at::Tensor large = at::ones({512, 1000});
    large[511][999] = kNaN;
    const auto averaged = imageOf(large, {});
    QVERIFY(averaged->rows == 256 && averaged->columns == 256);
    QVERIFY(std::isnan(averaged->cells.back()));
    QCOMPARE(averaged->cells.front(), 1.0);
    QCOMPARE(std::count_if(averaged->cells.begin(), averaged->cells.end(), [](double x) { return std::isnan(x); }), 1);
}
