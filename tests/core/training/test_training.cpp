// A training loop by hand, step by step against eager.

#include "test_training.h"
#include "support/test_program.h"
#include "trainer.h"

#include "session/session.h"
#include "support/models.h"
#include "support/text.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>

#include <cmath>

using namespace aotscope;
using namespace aotscope::test;

namespace {

double relativeError(const at::Tensor& expected, const at::Tensor& actual) {
    const at::Tensor a = expected.to(at::kDouble), b = actual.to(at::kDouble);
    return a.sub(b).abs().max().item<double>() / std::max(a.abs().max().item<double>(), 1e-12);
}

}  // namespace

void TestTraining::models(bool withPartitions) {
    columns<int, bool>("model", "minCut");
    for (std::size_t i = 0; i < trainedModels().size(); ++i)
        for (const bool minCut : {true, false})
            if (minCut || withPartitions)
                QTest::addRow("%s, %s", trainedModels()[i].name, minCut ? "min-cut" : "default")
                    << static_cast<int>(i) << minCut;
}

const TrainedModel& TestTraining::modelOf(int index) { return trainedModels()[static_cast<std::size_t>(index)]; }

void TestTraining::initTestCase() {
    at::set_num_threads(1);  // small tensors: on a busy machine threads would only wait for each other
}

/// Compares loss, parameters and running statistics at every step.
void TestTraining::stepsLikeEager_data() { models(true); }
void TestTraining::stepsLikeEager() {
    QFETCH(int, model);
    QFETCH(bool, minCut);
    const TrainedModel& trained = modelOf(model);
    const Compiled compiled =
        compiledModel(trained, minCut ? PartitionAlgorithm::minCut : PartitionAlgorithm::defaultPartition);
    QCOMPARE(q(compiled.record().error), QString());
    Trainer expected(compiled.modelRun, trained.rate, eager(compiled)),
        actual(compiled.modelRun, trained.rate, asCompiled(compiled));
    const auto& names = compiled.modelRun.function().leafNames();
    double first = 0, last = 0;
    for (int step = 0; step < kSteps; ++step) {
        const Batch batch = batchOf(trained, exampleOf(compiled), step % 4);
        seed(static_cast<std::uint64_t>(step));
        const double loss = expected.step(batch);
        seed(static_cast<std::uint64_t>(step));
        const double compiledLoss = actual.step(batch);
        QVERIFY2(std::abs(loss - compiledLoss) <= 1e-4 * std::abs(loss),
                 qPrintable(u"step %1: loss %2, compiled %3"_s.arg(step).arg(loss).arg(compiledLoss)));
        const auto before = expected.state(), after = actual.state();
        for (std::size_t i = 0; i < before.size(); ++i) {
            const double error = relativeError(before[i], after[i]);
            QVERIFY2(error <= 1e-4, qPrintable(u"step %1: %2 differs by %3"_s.arg(step).arg(q(names[i])).arg(error)));
        }
        (step == 0 ? first : last) = loss;
    }
    QVERIFY2(last < 0.5 * first, qPrintable(u"it learned nothing: %1, then %2"_s.arg(first).arg(last)));
}

void TestTraining::tiedWeightIsOneParameter() {
    const Compiled compiled = compiledModel(modelOf(1));
    int found = 0;
    for (const auto& name : compiled.modelRun.function().leafNames())
        found += name == "wte.weight" || name == "head.weight" ? 1 : 0;
    QCOMPARE(found, 1);
}

/// Each of two calls draws its own numbers; the same state of the generator gives the same ones, gradients
/// included.
void TestTraining::dropoutFollowsTheGenerator_data() { models(true); }
void TestTraining::dropoutFollowsTheGenerator() {
    QFETCH(int, model);
    QFETCH(bool, minCut);
    const Compiled compiled =
        compiledModel(modelOf(model), minCut ? PartitionAlgorithm::minCut : PartitionAlgorithm::defaultPartition);
    const auto draw = [&] {
        const RunArguments arguments = compiled.modelRun.arguments(/*ownState=*/true);
        const at::Tensor y = compiled.function()(arguments.leaves).at(0).toTensor();
        y.pow(2).sum().backward();
        std::vector<at::Tensor> seen = {y.detach()};
        for (const at::Tensor& parameter : arguments.differentiable) seen.push_back(parameter.grad());
        return seen;
    };
    const auto equal = [](const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const at::Tensor& x, const at::Tensor& y) { return at::equal(x, y); });
    };
    seed(3);
    const auto first = draw(), second = draw();
    seed(3);
    const auto firstAgain = draw(), secondAgain = draw();
    QVERIFY(!at::equal(first[0], second[0]));
    QVERIFY(equal(first, firstAgain));
    QVERIFY(equal(second, secondAgain));
}

AOTSCOPE_TEST(TestTraining)
#include "test_training.moc"
