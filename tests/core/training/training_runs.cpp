// Training runs next to eager: losses, optimizers, data, cancelling.

#include "test_training.h"
#include "trainer.h"

#include "io/train_text.h"
#include "session/session.h"
#include "support/models.h"
#include "support/scratch.h"
#include "support/text.h"
#include "verify/memory_meter.h"
#include "verify/optimizer.h"
#include "verify/training.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <limits>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// A model with one weight `w` that returns the expression `result`.
Compiled scale(const std::string& result) {
    return compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return " + result,
                              {Build::parameter("w", at::ones({3}).set_requires_grad(true))}),
                   R"([{"shape":[2,3],"fill":"randn"}])");
}

}  // namespace

void TestTraining::trainingRunFollowsEager_data() {
    columns<QString, bool, QString>("model", "minCut", "optimizer");
    for (const char* model : {"mlp", "gpt2-tiny"})
        for (const bool minCut : {true, false})
            for (const char* optimizer : {"sgd", "adam"})
                QTest::addRow("%s, %s, %s", model, minCut ? "min-cut" : "default", optimizer)
                    << QString::fromLatin1(model) << minCut << QString::fromLatin1(optimizer);
}
void TestTraining::trainingRunFollowsEager() {
    FETCH(QString, model, optimizer);
    QFETCH(bool, minCut);
    Options options;
    options.partition.algorithm = minCut ? PartitionAlgorithm::minCut : PartitionAlgorithm::defaultPartition;
    const auto by = *optimizerFromName(optimizer.toStdString());
    const TrainResult result =
        trainSample(model.toLatin1().constData(), training(60, by == OptimizerKind::adam ? 1e-3 : 0.05, by), options);
    QCOMPARE(result.steps.size(), std::size_t(60));
    const LossDifference difference = largestDifference(result.steps);
    QVERIFY2(difference.relative < 1e-3, qPrintable(QString::number(difference.relative)));
    const TrainFigures compiled = figuresOf(result.steps, &TrainStep::compiled);
    QVERIFY2(compiled.lastLoss < 0.9 * compiled.firstLoss,
             qPrintable(u"%1, then %2"_s.arg(compiled.firstLoss).arg(compiled.lastLoss)));
    QVERIFY(compiled.stepsPerSecond > 0);
    QVERIFY(compiled.peakBytes > 0);
    QVERIFY(q(result.loss).startsWith(u"mean of the squares of output 0"_s));
}

/// Dropout draws the same numbers in both runs; a second training starts from the same parameters.
void TestTraining::trainingRunsAreRepeatable() {
    const Compiled compiled = compiledModel(modelOf(1));
    seed(5);
    const TrainResult first = train(compiled, training(5, 0.05)), second = train(compiled, training(5, 0.05));
    QVERIFY(largestDifference(first.steps).relative < 1e-4);
    for (std::size_t i = 0; i < 5; ++i) {
        QCOMPARE(second.steps[i].compiled.loss, first.steps[i].compiled.loss);
        QCOMPARE(second.steps[i].eager.loss, first.steps[i].eager.loss);
    }
    const at::Generator& generator = at::detail::getDefaultCPUGenerator();
    QCOMPARE(generator.current_seed(), std::uint64_t{5});  // the caller's own numbers go on as if nothing had been
}

void TestTraining::lossIsTheScalarOutput() {
    QCOMPARE(q(train(scale("(x * self.w).sum()"), training(1, 0)).loss), u"output 0"_s);
    const TrainResult squares = train(scale("x * self.w"), training(2, 0));
    QCOMPARE(q(squares.loss), u"mean of the squares of output 0"_s);
    QVERIFY(squares.steps[0].eager.loss != squares.steps[1].eager.loss);  // another batch
}

void TestTraining::trainsOnBatchesOfAFile() {
    const Scratch scratch;
    const auto save = [&](const char* name, const c10::IValue& value) {
        const auto bytes = torch::jit::pickle_save(value);
        std::string path = scratch.at(QString::fromUtf8(name)).toStdString();
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return path;
    };
    const Compiled compiled = scale("x * self.w");
    const auto losses = [&](const std::string& path) {
        TrainOptions options = training(4, 0);
        options.data = path;
        std::vector<double> found;
        for (const TrainStep& step : train(compiled, options).steps) found.push_back(step.compiled.loss);
        return found;
    };
    const at::Tensor ones = at::ones({2, 3}), twos = ones * 2;
    QCOMPARE(losses(save("two.pt", c10::List<at::Tensor>({ones, twos}))), (std::vector<double>{1, 4, 1, 4}));
    QCOMPARE(losses(save("one.pt", twos)), (std::vector<double>{4, 4, 4, 4}));
    const auto tuple = [](const at::Tensor& t) { return c10::ivalue::Tuple::create({t}); };
    QCOMPARE(losses(save("tuples.pt", c10::ivalue::Tuple::create({tuple(twos), tuple(ones)}))),
             (std::vector<double>{4, 1, 4, 1}));
    const auto pair = c10::ivalue::Tuple::create({ones, ones});
    QVERIFY(errorOf([&] { losses(save("pairs.pt", c10::ivalue::Tuple::create({pair}))); }).contains(u"batch 0 of"_s));
    QVERIFY(errorOf([&] { losses(save("none.pt", c10::List<at::Tensor>())); }).contains(u"holds no batch"_s));
}

void TestTraining::cancelledBetweenSteps() {
    const Compiled compiled = scale("x * self.w");
    Progress progress;
    int seen = 0;
    QVERIFY_EXCEPTION_THROWN(train(compiled, training(100, 0.1), progress,
                                   [&](const TrainStep&) {
                                       if (++seen == 3) progress.cancel();
                                   }),
                             Cancelled);
    QCOMPARE(seen, 3);
}

void TestTraining::nothingToTrain() {
    QCOMPARE(errorOf([] { trainSample("sincos", training(1, 0.1)); }),
             u"the model has no parameter that requires a gradient: there is nothing to train"_s);
    QVERIFY(errorOf([] {
                train(scale("x * 2"), training(1, 0.1));
            }).contains(u"no output of the model depends on a parameter"_s));
    const Options inference{.inference = true};
    QVERIFY(errorOf([&] { trainSample("mlp", training(1, 0.1), inference); }).contains(u"training needs gradients"_s));
}

void TestTraining::lossesThatAreNotFinite() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto step = [](double eager, double compiled) {
        TrainStep s;
        s.eager.loss = eager;
        s.compiled.loss = compiled;
        return s;
    };
    QCOMPARE(largestDifference({step(1, 1), step(nan, nan)}).relative, 0.0);
    const LossDifference one = largestDifference({step(2, 1), step(1, nan)});
    QCOMPARE(one.step, std::size_t(1));
    QVERIFY(std::isinf(one.relative));
    TrainResult diverged;
    diverged.steps = {step(nan, nan)};
    QVERIFY(trainJson(diverged).dump().find("\"loss\":null") != std::string::npos);
}

/// Against torch.optim.Adam.
void TestTraining::adamIsPytorchs() {
    at::Tensor parameter = at::ones({2}, at::kDouble);
    parameter[1] = 2;
    const auto optimizer = makeOptimizer(training(0, 0.1, OptimizerKind::adam), {parameter});
    const auto pair = [](double a, double b) {
        at::Tensor t = at::zeros({2}, at::kDouble);
        t[0] = a;
        t[1] = b;
        return t;
    };
    optimizer->step({pair(0.5, -1)});
    optimizer->step({pair(-0.25, 2)});
    optimizer->step({at::Tensor()});
    optimizer->step({pair(0.125, 0)});
    QVERIFY(std::abs(parameter[0].item<double>() - 0.8393233849166541) < 1e-12);
    QVERIFY(std::abs(parameter[1].item<double>() - 2.03508973799907) < 1e-12);
}
