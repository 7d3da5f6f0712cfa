// Compiled functions in a training loop, step by step against the same loop in eager: losses, parameters, buffers,
// random numbers, memory.

#include "compile/compiler.h"
#include "io/train_text.h"
#include "load/sample_texts.h"
#include "session/session.h"
#include "support/models.h"
#include "support/scratch.h"
#include "support/text.h"
#include "verify/memory_meter.h"
#include "verify/optimizer.h"
#include "verify/training.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <QtTest>
#include <nlohmann/json.hpp>

#include <sys/resource.h>

#include <cmath>
#include <fstream>
#include <future>
#include <limits>

using namespace aotscope;
using namespace aotscope::test;

namespace {

using Build = ModuleBuilder;
using Values = std::vector<c10::IValue>;
using Callable = std::function<Values(const Values&)>;

constexpr int kSteps = 200;

void seed(std::uint64_t value) {
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    generator.set_current_seed(value);
}

/// Models with the layers of the samples, but narrow, and with dropout.
constexpr const char* kModels = R"(
class DropoutResNet:
    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu_(self.bn1.forward(self.conv1.forward(x)))
        x = self.layer4.forward(self.layer3.forward(self.layer2.forward(self.layer1.forward(x))))
        x = torch.flatten(torch.adaptive_avg_pool2d(x, [1, 1]), 1)
        return self.fc.forward(self.drop.forward(x))


class TiedHead:
    def forward(self, x: Tensor) -> Tensor:
        return torch.linear(x, self.weight)


class TiedGPT:
    def forward(self, tokens: Tensor) -> Tensor:
        positions = torch.arange(0, tokens.size(1), device=tokens.device)
        x = self.wte.forward(tokens) + self.wpe.forward(positions)
        x = self.ln_f.forward(self.blocks.forward(self.drop.forward(x)))
        return self.head.forward(x)
)";

class Layers {
public:
    Layers() {
        for (const auto& [file, text] : sampleTexts()) modules.addSource(file, text);
        modules.addSource("training.py", kModels);
    }

    ModuleBuilder modules;

    at::Tensor normal(at::IntArrayRef sizes, double deviation) {
        return at::empty(sizes).normal_(0, deviation, generator_).set_requires_grad(true);
    }
    static at::Tensor ones(std::int64_t size) { return at::ones({size}).set_requires_grad(true); }
    static at::Tensor zeros(std::int64_t size) { return at::zeros({size}).set_requires_grad(true); }

    torch::jit::Module linear(std::int64_t in, std::int64_t out) {
        return modules.make("Linear",
                            {Build::parameter("weight", normal({out, in}, 1 / std::sqrt(static_cast<double>(in)))),
                             Build::parameter("bias", zeros(out))});
    }
    torch::jit::Module convolution(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
        const double deviation = std::sqrt(2.0 / static_cast<double>(out * kernel * kernel));
        return modules.make("Conv2d", {Build::parameter("weight", normal({out, in, kernel, kernel}, deviation)),
                                       Build::plain("stride", stride), Build::plain("padding", kernel / 2)});
    }
    torch::jit::Module batchNorm(std::int64_t channels) {
        return modules.make(
            "BatchNorm2d",
            {Build::parameter("weight", ones(channels)), Build::parameter("bias", zeros(channels)),
             Build::buffer("running_mean", at::zeros({channels})), Build::buffer("running_var", at::ones({channels})),
             Build::buffer("num_batches_tracked", at::zeros({}, at::kLong))});
    }
    torch::jit::Module layerNorm(std::int64_t size) {
        return modules.make("LayerNorm", {Build::parameter("weight", ones(size)), Build::parameter("bias", zeros(size)),
                                          Build::plain("size", size), Build::plain("eps", 1e-5)});
    }
    torch::jit::Module dropout() { return modules.make("Dropout", {Build::plain("p", 0.2)}); }

    torch::jit::Module block(std::int64_t in, std::int64_t out) {
        const std::int64_t stride = in == out ? 1 : 2;
        std::vector<Build::Attribute> attributes = {
            Build::module("conv1", convolution(in, out, 3, stride)), Build::module("bn1", batchNorm(out)),
            Build::module("conv2", convolution(out, out, 3, 1)), Build::module("bn2", batchNorm(out))};
        if (in == out) return modules.make("BasicBlock", std::move(attributes));
        attributes.push_back(
            Build::module("downsample", modules.sequential({convolution(in, out, 1, stride), batchNorm(out)})));
        return modules.make("BasicBlockDown", std::move(attributes));
    }

private:
    at::Generator generator_ = at::detail::createCPUGenerator(7);
};

/// ResNet-18: four stages of two blocks.
torch::jit::Module resnet() {
    Layers l;
    std::vector<Build::Attribute> attributes = {Build::module("conv1", l.convolution(3, 8, 3, 1)),
                                                Build::module("bn1", l.batchNorm(8))};
    std::int64_t in = 8;
    for (int stage = 1; stage <= 4; ++stage) {
        const std::int64_t out = stage == 1 ? in : 2 * in;
        attributes.push_back(Build::module("layer" + std::to_string(stage),
                                           l.modules.sequential({l.block(in, out), l.block(out, out)})));
        in = out;
    }
    attributes.push_back(Build::module("drop", l.dropout()));
    attributes.push_back(Build::module("fc", l.linear(in, 10)));
    return l.modules.make("DropoutResNet", std::move(attributes));
}

/// The embedding's weight is registered a second time as the weight of the last layer.
torch::jit::Module tiedGpt() {
    constexpr std::int64_t width = 32, vocabulary = 64, positions = 16;
    Layers l;
    const at::Tensor weight = l.normal({vocabulary, width}, 0.1);
    const auto wte = l.modules.make("Embedding", {Build::parameter("weight", weight)});
    const auto wpe = l.modules.make("Embedding", {Build::parameter("weight", l.normal({positions, width}, 0.1))});
    std::vector<torch::jit::Module> blocks;
    for (int i = 0; i < 2; ++i)
        blocks.push_back(l.modules.make(
            "GPTBlock",
            {Build::module("ln_1", l.layerNorm(width)), Build::module("ln_2", l.layerNorm(width)),
             Build::module("c_attn", l.linear(width, 3 * width)), Build::module("c_proj", l.linear(width, width)),
             Build::module("fc", l.linear(width, 4 * width)), Build::module("proj", l.linear(4 * width, width)),
             Build::module("drop", l.dropout()), Build::plain("heads", std::int64_t{4})}));
    return l.modules.make(
        "TiedGPT",
        {Build::module("wte", wte), Build::module("wpe", wpe), Build::module("blocks", l.modules.sequential(blocks)),
         Build::module("ln_f", l.layerNorm(width)), Build::module("drop", l.dropout()),
         Build::module("head", l.modules.make("TiedHead", {Build::parameter("weight", weight)}))});
}

struct TrainedModel {
    const char* name;
    torch::jit::Module (*module)();
    const char* inputs;
    std::vector<std::int64_t> targets;
    std::int64_t classes;
    double rate;
};

const std::vector<TrainedModel>& trainedModels() {
    static const std::vector<TrainedModel> models = {
        {"resnet18", resnet, R"([{"shape":[4,3,16,16]}])", {4}, 10, 0.02},
        {"gpt-tied", tiedGpt, R"([{"shape":[4,16],"dtype":"int64","fill":{"randint":[0,64]}}])", {4, 16}, 64, 0.05},
    };
    return models;
}

/// Input and target of one step.
struct Batch {
    at::Tensor input, target;
};

Batch batchOf(const TrainedModel& model, const at::Tensor& example, int step) {
    at::Generator generator = at::detail::createCPUGenerator(static_cast<std::uint64_t>(1000 + step));
    Batch batch{at::empty_like(example), at::empty(model.targets, at::kLong).random_(0, model.classes, generator)};
    if (example.is_floating_point()) batch.input.normal_(0, 1, generator);
    else batch.input.random_(0, model.classes, generator);
    return batch;
}

/// Parameters, buffers and momentum of one run.
class Trainer {
public:
    Trainer(const Workload& workload, double rate, Callable function)
        : rate_(rate), function_(std::move(function)), arguments_(workload.arguments(/*ownState=*/true)) {
        for (const at::Tensor& parameter : arguments_.differentiable) momenta_.push_back(at::zeros_like(parameter));
    }

    double step(const Batch& batch) {
        arguments_.leaves.back() = batch.input;
        const at::Tensor scores = function_(arguments_.leaves).at(0).toTensor();
        const at::Tensor loss = at::cross_entropy_loss(scores.view({-1, scores.size(-1)}), batch.target.view(-1));
        loss.backward();
        const at::NoGradGuard noGrad;
        for (std::size_t i = 0; i < momenta_.size(); ++i) {
            at::Tensor& parameter = arguments_.differentiable[i];
            momenta_[i].mul_(0.9).add_(parameter.grad());
            parameter.sub_(momenta_[i], rate_);
            parameter.mutable_grad().reset();
        }
        return loss.item<double>();
    }

    /// Parameters and buffers.
    std::vector<at::Tensor> state() const {
        std::vector<at::Tensor> tensors;
        for (std::size_t i = 0; i + 1 < arguments_.leaves.size(); ++i)
            tensors.push_back(arguments_.leaves[i].toTensor().detach());
        return tensors;
    }

private:
    double rate_;
    Callable function_;
    RunArguments arguments_;
    std::vector<at::Tensor> momenta_;
};

double relativeError(const at::Tensor& expected, const at::Tensor& actual) {
    const at::Tensor a = expected.to(at::kDouble), b = actual.to(at::kDouble);
    return a.sub(b).abs().max().item<double>() / std::max(a.abs().max().item<double>(), 1e-12);
}

Compiled compiledModel(const TrainedModel& model, PartitionAlgorithm partition = PartitionAlgorithm::minCut) {
    Options options;
    options.partition.algorithm = partition;
    return compile(std::make_shared<torch::jit::Module>(model.module()), model.inputs, options);
}

Callable eager(const Compiled& compiled) {
    return [&](const Values& v) { return compiled.workload.function()(v).leaves; };
}
Callable asCompiled(const Compiled& compiled) {
    return [&](const Values& v) { return compiled.function()(v); };
}
at::Tensor exampleOf(const Compiled& compiled) {
    return compiled.workload.function().exampleLeaves().back().toTensor();
}

TrainOptions training(int steps, double rate, OptimizerKind optimizer = OptimizerKind::sgd) {
    TrainOptions options;
    options.steps = steps;
    options.rate = rate;
    options.optimizer = optimizer;
    return options;
}

TrainResult train(const Compiled& compiled, const TrainOptions& options, const Progress& progress = {},
                  const TrainListener& listener = nullptr) {
    CompileCache cache(
        compiled.compilation.function, [](const Values&) -> Compilation { throw Error("another compilation"); }, 0);
    return trainAgainstEager(compiled.workload, cache, compiled.options, options, progress, listener);
}

TrainResult trainSample(const char* name, const TrainOptions& options, const Options& how = {}) {
    Options own = how;
    own.model = std::string("sample:") + name;
    return Session::open(own, {})->train(options, {}, nullptr);
}

/// A model with one weight `w` that returns the expression `result`.
Compiled scale(const std::string& result) {
    return compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return " + result,
                              {Build::parameter("w", at::ones({3}).set_requires_grad(true))}),
                   R"([{"shape":[2,3],"fill":"randn"}])");
}

using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;

/// Keeps weak references to the storages that forward graphs return in addition to the program's outputs.
class WatchingCompiler final : public Compiler {
public:
    explicit WatchingCompiler(std::size_t outputs) : outputs_(outputs) {}
    std::string name() const override { return "watching"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        auto inner = makeInterpreter()->compile(graph, constants);
        return graph.name() == "forward" ? std::make_shared<Watched>(*this, std::move(inner)) : inner;
    }
    std::size_t alive() const {
        return static_cast<std::size_t>(
            std::count_if(saved_.begin(), saved_.end(), [](const WeakStorage& s) { return !s.expired(); }));
    }
    std::size_t seen() const { return saved_.size(); }

private:
    class Watched final : public CompiledGraph {
    public:
        Watched(const WatchingCompiler& owner, std::shared_ptr<const CompiledGraph> inner)
            : owner_(owner), inner_(std::move(inner)) {}
        Values run(Values& args, StepObserver* observer) const override {
            std::vector<const c10::StorageImpl*> inputs;
            for (const auto& arg : args) inputs.push_back(storageOf(arg).get());
            Values results = inner_->run(args, observer);
            for (std::size_t i = owner_.outputs_; i < results.size(); ++i) {
                const auto storage = storageOf(results[i]);
                if (std::find(inputs.begin(), inputs.end(), storage.get()) == inputs.end())
                    owner_.saved_.emplace_back(storage);
            }
            return results;
        }
        const std::vector<NodeId>& steps() const override { return inner_->steps(); }

    private:
        static c10::intrusive_ptr<c10::StorageImpl> storageOf(const c10::IValue& value) {
            return c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(
                value.toTensor().storage().unsafeGetStorageImpl());
        }
        const WatchingCompiler& owner_;
        std::shared_ptr<const CompiledGraph> inner_;
    };

    std::size_t outputs_;
    mutable std::vector<WeakStorage> saved_;
};

}  // namespace

class TestTraining : public QObject {
    Q_OBJECT

    static void models(bool withPartitions) {
        QTest::addColumn<int>("model");
        QTest::addColumn<bool>("minCut");
        for (std::size_t i = 0; i < trainedModels().size(); ++i)
            for (const bool minCut : {true, false})
                if (minCut || withPartitions)
                    QTest::addRow("%s, %s", trainedModels()[i].name, minCut ? "min-cut" : "default")
                        << static_cast<int>(i) << minCut;
    }
    static const TrainedModel& modelOf(int index) { return trainedModels()[static_cast<std::size_t>(index)]; }

private Q_SLOTS:
    void initTestCase() {
        initializeTorch();
        at::set_num_threads(1);  // small tensors: on a busy machine threads would only wait for each other
    }

    /// Memory that earlier steps freed is reused without new page faults, in every thread.
    void freedMemoryStaysForTheNextStep() {
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__)
        QSKIP("another allocator");
#endif
        constexpr long pages = 10 * (4 << 20) / 4096;
        const auto faults = [] {
            rusage usage{};
            getrusage(RUSAGE_SELF, &usage);
            return usage.ru_minflt;
        };
        const auto step = [] {
            std::vector<at::Tensor> live;
            for (int i = 0; i < 10; ++i) live.push_back(at::ones({1 << 20}));
        };
        const auto again = [&] {
            for (int i = 0; i < 20; ++i) step();  // until the heap has places for all of them
            const long before = faults();
            step();
            return faults() - before;
        };
        QVERIFY(again() < pages / 10);
        std::async(std::launch::async, [&] { QVERIFY(again() < pages / 10); }).get();
    }

    /// Compares loss, parameters and running statistics at every step.
    void stepsLikeEager_data() { models(true); }
    void stepsLikeEager() {
        QFETCH(int, model);
        QFETCH(bool, minCut);
        const TrainedModel& trained = modelOf(model);
        const Compiled compiled =
            compiledModel(trained, minCut ? PartitionAlgorithm::minCut : PartitionAlgorithm::defaultPartition);
        QCOMPARE(q(compiled.record().error), QString());
        Trainer expected(compiled.workload, trained.rate, eager(compiled)),
            actual(compiled.workload, trained.rate, asCompiled(compiled));
        const auto& names = compiled.workload.function().leafNames();
        double first = 0, last = 0;
        for (int step = 0; step < kSteps; ++step) {
            const Batch batch = batchOf(trained, exampleOf(compiled), step % 4);
            seed(static_cast<std::uint64_t>(step));
            const double loss = expected.step(batch);
            seed(static_cast<std::uint64_t>(step));
            const double compiledLoss = actual.step(batch);
            QVERIFY2(std::abs(loss - compiledLoss) <= 1e-4 * std::abs(loss),
                     qPrintable(QStringLiteral("step %1: loss %2, compiled %3").arg(step).arg(loss).arg(compiledLoss)));
            const auto before = expected.state(), after = actual.state();
            for (std::size_t i = 0; i < before.size(); ++i) {
                const double error = relativeError(before[i], after[i]);
                QVERIFY2(error <= 1e-4,
                         qPrintable(QStringLiteral("step %1: %2 differs by %3").arg(step).arg(q(names[i])).arg(error)));
            }
            (step == 0 ? first : last) = loss;
        }
        QVERIFY2(last < 0.5 * first,
                 qPrintable(QStringLiteral("it learned nothing: %1, then %2").arg(first).arg(last)));
    }

    void tiedWeightIsOneParameter() {
        const Compiled compiled = compiledModel(modelOf(1));
        int found = 0;
        for (const auto& name : compiled.workload.function().leafNames())
            found += name == "wte.weight" || name == "head.weight" ? 1 : 0;
        QCOMPARE(found, 1);
    }

    /// Each of two calls draws its own numbers; the same state of the generator gives the same ones, gradients
    /// included.
    void dropoutFollowsTheGenerator_data() { models(true); }
    void dropoutFollowsTheGenerator() {
        QFETCH(int, model);
        QFETCH(bool, minCut);
        const Compiled compiled =
            compiledModel(modelOf(model), minCut ? PartitionAlgorithm::minCut : PartitionAlgorithm::defaultPartition);
        const auto draw = [&] {
            const RunArguments arguments = compiled.workload.arguments(/*ownState=*/true);
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

    // --- memory ---

    void nothingLeaksOverTheSteps_data() { models(false); }
    void nothingLeaksOverTheSteps() {
        QFETCH(int, model);
        const TrainedModel& trained = modelOf(model);
        const Compiled compiled = compiledModel(trained);
        Trainer trainer(compiled.workload, trained.rate, asCompiled(compiled));
        const Batch batch = batchOf(trained, exampleOf(compiled), 0);
        const MemoryMeter meter;
        std::int64_t early = 0;
        for (int step = 1; step <= kSteps; ++step) {
            trainer.step(batch);
            if (step == 10) early = meter.bytes();
        }
        QCOMPARE(meter.bytes(), early);
    }

    // --- the training run ---

    void trainingRunFollowsEager_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("minCut");
        QTest::addColumn<QString>("optimizer");
        for (const char* model : {"mlp", "gpt2-tiny"})
            for (const bool minCut : {true, false})
                for (const char* optimizer : {"sgd", "adam"})
                    QTest::addRow("%s, %s, %s", model, minCut ? "min-cut" : "default", optimizer)
                        << QString::fromLatin1(model) << minCut << QString::fromLatin1(optimizer);
    }
    void trainingRunFollowsEager() {
        QFETCH(QString, model);
        QFETCH(bool, minCut);
        QFETCH(QString, optimizer);
        Options options;
        options.partition.algorithm = minCut ? PartitionAlgorithm::minCut : PartitionAlgorithm::defaultPartition;
        const auto by = *optimizerFromName(optimizer.toStdString());
        const TrainResult result = trainSample(model.toLatin1().constData(),
                                               training(60, by == OptimizerKind::adam ? 1e-3 : 0.05, by), options);
        QCOMPARE(result.steps.size(), std::size_t(60));
        const LossDifference difference = largestDifference(result.steps);
        QVERIFY2(difference.relative < 1e-3, qPrintable(QString::number(difference.relative)));
        const TrainFigures compiled = figuresOf(result.steps, &TrainStep::compiled);
        QVERIFY2(compiled.lastLoss < 0.9 * compiled.firstLoss,
                 qPrintable(QStringLiteral("%1, then %2").arg(compiled.firstLoss).arg(compiled.lastLoss)));
        QVERIFY(compiled.stepsPerSecond > 0);
        QVERIFY(compiled.peakBytes > 0);
        QVERIFY(q(result.loss).startsWith(QStringLiteral("mean of the squares of output 0")));
    }

    void nothingStaysOfAThousandSteps_data() {
        QTest::addColumn<QString>("optimizer");
        QTest::newRow("sgd") << QStringLiteral("sgd");
        QTest::newRow("adam") << QStringLiteral("adam");
    }
    void nothingStaysOfAThousandSteps() {
        QFETCH(QString, optimizer);
        const TrainResult result =
            trainSample("mlp", training(1000, 1e-3, *optimizerFromName(optimizer.toStdString())));
        QCOMPARE(result.steps.size(), std::size_t(1000));
        const TrainStep &early = result.steps[9], &late = result.steps[999];
        for (const auto run : {&TrainStep::eager, &TrainStep::compiled}) {
            QCOMPARE((late.*run).liveBytes, (early.*run).liveBytes);
            QCOMPARE((late.*run).liveBlocks, (early.*run).liveBlocks);
            QCOMPARE(figuresOf(result.steps, run).growthPer100Steps, 0.0);
        }
        const double resident = residentGrowthPer100Steps(result.steps);
        qInfo("process %.1f MB, %.1f kB per 100 steps; eager %.0f, compiled %.0f steps/s",
              static_cast<double>(late.residentBytes) / 1e6, resident / 1e3,
              figuresOf(result.steps, &TrainStep::eager).stepsPerSecond,
              figuresOf(result.steps, &TrainStep::compiled).stepsPerSecond);
#ifndef __SANITIZE_ADDRESS__  // which keeps what is freed for a while
        QVERIFY2(resident < 500e3, qPrintable(QString::number(resident)));
#endif
    }

    /// Memory that an allocator keeps for a while is not a leak.
    void growthIsMeasuredAtTheSmallestSizes() {
        const auto growthOf = [](int steps, const std::function<std::int64_t(int)>& residentBytes) {
            std::vector<TrainStep> list(static_cast<std::size_t>(steps));
            for (int i = 0; i < steps; ++i) list[static_cast<std::size_t>(i)].residentBytes = residentBytes(i);
            return residentGrowthPer100Steps(list);
        };
        QCOMPARE(growthOf(30, [](int i) { return 364'000'000 + (i % 7 == 1 ? 9'000'000 : 0); }), 0.0);
        for (const int steps : {11, 30, 31, 1000}) {
            QCOMPARE(growthOf(steps, [](int i) { return 1000 + 5 * i; }), 500.0);
            QCOMPARE(growthOf(steps, [](int i) { return i < 10 ? 5 * i : 45; }), 0.0);  // warming up
        }
        QCOMPARE(growthOf(10, [](int i) { return 5 * i; }), 0.0);
    }

    /// Dropout draws the same numbers in both runs; a second training starts from the same parameters.
    void trainingRunsAreRepeatable() {
        const Compiled compiled = compiledModel(modelOf(1));
        seed(5);
        const TrainResult first = train(compiled, training(5, 0.05)), second = train(compiled, training(5, 0.05));
        QVERIFY(largestDifference(first.steps).relative < 1e-4);
        for (std::size_t i = 0; i < 5; ++i) {
            QCOMPARE(second.steps[i].compiled.loss, first.steps[i].compiled.loss);
            QCOMPARE(second.steps[i].eager.loss, first.steps[i].eager.loss);
        }
        at::Generator generator = at::detail::getDefaultCPUGenerator();
        QCOMPARE(generator.current_seed(), std::uint64_t{5});  // the caller's own numbers go on as if nothing had been
    }

    void lossIsTheScalarOutput() {
        QCOMPARE(q(train(scale("(x * self.w).sum()"), training(1, 0)).loss), QStringLiteral("output 0"));
        const TrainResult squares = train(scale("x * self.w"), training(2, 0));
        QCOMPARE(q(squares.loss), QStringLiteral("mean of the squares of output 0"));
        QVERIFY(squares.steps[0].eager.loss != squares.steps[1].eager.loss);  // another batch
    }

    void trainsOnBatchesOfAFile() {
        const Scratch scratch;
        const auto save = [&](const char* name, const c10::IValue& value) {
            const auto bytes = torch::jit::pickle_save(value);
            const std::string path = scratch.at(QString::fromUtf8(name)).toStdString();
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
        QVERIFY(errorOf([&] {
                    losses(save("pairs.pt", c10::ivalue::Tuple::create({pair})));
                }).contains(QStringLiteral("batch 0 of")));
        QVERIFY(errorOf([&] {
                    losses(save("none.pt", c10::List<at::Tensor>()));
                }).contains(QStringLiteral("holds no batch")));
    }

    void cancelledBetweenSteps() {
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

    void nothingToTrain() {
        QCOMPARE(errorOf([] { trainSample("sincos", training(1, 0.1)); }),
                 QStringLiteral("the model has no parameter that requires a gradient: there is nothing to train"));
        QVERIFY(errorOf([] {
                    train(scale("x * 2"), training(1, 0.1));
                }).contains(QStringLiteral("no output of the model depends on a parameter")));
        Options inference;
        inference.inference = true;
        QVERIFY(errorOf([&] {
                    trainSample("mlp", training(1, 0.1), inference);
                }).contains(QStringLiteral("training needs gradients")));
    }

    void lossesThatAreNotFinite() {
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
    void adamIsPytorchs() {
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

    void savedValuesAreFreed() {
        const Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n"
                               "    return torch.softmax(torch.mm(torch.cumsum(x, 0), self.w), 1)",
                               {Build::parameter("w", learned({3, 3}))}),
                    R"([{"shape":[2,3],"requires_grad":true}])");
        const CompileRecord& record = compiled.record();
        const auto compiler = std::make_shared<WatchingCompiler>(record.metadata->forwardReturns());
        const auto function = CompiledFunction::make(
            {*record.metadata,
             *record.graphMetadata,
             {ViewSequence{}},
             {},
             {compiler, compiler},
             record.graph(GraphKind::forward),
             record.graph(GraphKind::backward),
             std::make_shared<SizeGuards>(*record.metadata, compiled.workload.function().exampleLeaves(),
                                          std::vector<Symbol>(), std::vector<SymbolBinding>(),
                                          std::vector<SizeCondition>()),
             nullptr});
        const RunArguments arguments = compiled.workload.arguments(/*ownState=*/true);
        at::Tensor y = (*function)(arguments.leaves).at(0).toTensor();
        QVERIFY(compiler->seen() > 0);
        QCOMPARE(compiler->alive(), compiler->seen());
        at::Tensor loss = y.pow(2).sum();
        y.reset();
        loss.backward({}, /*retain_graph=*/true);
        QCOMPARE(compiler->alive(), compiler->seen());
        loss.backward();
        // pow keeps y; everything else is freed.
        QVERIFY(compiler->alive() <= 1);
        loss.reset();
        QCOMPARE(compiler->alive(), std::size_t(0));
        (*function)(arguments.leaves);  // abandoned
        QCOMPARE(compiler->alive(), std::size_t(0));
    }

    /// Where recomputation pays off, the peak memory of a step is below that of eager.
    void peakIsBelowEager_data() {
        QTest::addColumn<QString>("body");
        QTest::newRow("pointwise chain") << QStringLiteral(
            "    for i in range(8):\n        x = x.sin() * x.cos() + 0.1 * x.tanh()\n    return x");
        QTest::newRow("gelu by hand") << QStringLiteral(
            "    h = torch.mm(x, self.w)\n"
            "    h = 0.5 * h * (1 + torch.tanh(0.797885 * (h + 0.044715 * h * h * h)))\n"
            "    h = torch.mm(h, self.w)\n"
            "    return 0.5 * h * (1 + torch.tanh(0.797885 * (h + 0.044715 * h * h * h)))");
        QTest::newRow("normalisation by hand") << QStringLiteral(
            "    c = x - x.mean(1, True)\n    n = c / (c * c).mean(1, True).add(1e-5).sqrt()\n"
            "    return (n * self.w[0] + self.w[1]).sigmoid() * n");
    }
    void peakIsBelowEager() {
        QFETCH(QString, body);
        constexpr std::int64_t size = 256;
        const Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n" + body.toStdString(),
                               {Build::parameter("w", at::ones({size, size}).mul(0.01).set_requires_grad(true))}),
                    R"([{"shape":[256,256],"requires_grad":true}])");
        QCOMPARE(q(compiled.record().error), QString());
        const auto peak = [&](const Callable& function) {
            const RunArguments arguments = compiled.workload.arguments(/*ownState=*/true);
            const MemoryMeter meter;
            function(arguments.leaves).at(0).toTensor().sum().backward();
            return meter.peak();
        };
        peak(asCompiled(compiled));  // the backward is compiled now
        const auto expected = peak(eager(compiled)), actual = peak(asCompiled(compiled));
        qInfo("eager %.1f MB, compiled %.1f MB", static_cast<double>(expected) / 1e6,
              static_cast<double>(actual) / 1e6);
        QVERIFY(actual < expected);
    }
};

QTEST_GUILESS_MAIN(TestTraining)
#include "test_training.moc"
