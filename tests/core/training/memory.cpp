// Memory of training steps: what is freed, what leaks, and the peak against eager.

#include "test_training.h"
#include "trainer.h"

#include "compile/compiler.h"
#include "session/session.h"
#include "support/models.h"
#include "support/text.h"
#include "verify/memory_meter.h"
#include "verify/training.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>

#include <sys/resource.h>
#include <future>

using namespace aotscope;
using namespace aotscope::test;

namespace {

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

/// Memory that earlier steps freed is reused without new page faults, in every thread.
void TestTraining::freedMemoryStaysForTheNextStep() {
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

// --- memory ---

void TestTraining::nothingLeaksOverTheSteps_data() { models(false); }
void TestTraining::nothingLeaksOverTheSteps() {
    QFETCH(int, model);
    const TrainedModel& trained = modelOf(model);
    const Compiled compiled = compiledModel(trained);
    Trainer trainer(compiled.modelRun, trained.rate, asCompiled(compiled));
    const Batch batch = batchOf(trained, exampleOf(compiled), 0);
    const MemoryMeter meter;
    std::int64_t early = 0;
    for (int step = 1; step <= kSteps; ++step) {
        trainer.step(batch);
        if (step == 10) early = meter.bytes();
    }
    QCOMPARE(meter.bytes(), early);
}

void TestTraining::nothingStaysOfAThousandSteps_data() {
    QTest::addColumn<QString>("optimizer");
    QTest::newRow("sgd") << u"sgd"_s;
    QTest::newRow("adam") << u"adam"_s;
}
void TestTraining::nothingStaysOfAThousandSteps() {
    QFETCH(QString, optimizer);
    const TrainResult result = trainSample("mlp", training(1000, 1e-3, *optimizerFromName(optimizer.toStdString())));
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
#ifndef __SANITIZE_ADDRESS__  // which keeps freed memory for a while
    QVERIFY2(resident < 500e3, qPrintable(QString::number(resident)));
#endif
}

/// Memory that an allocator keeps for a while is not a leak.
void TestTraining::growthIsMeasuredAtTheSmallestSizes() {
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

void TestTraining::savedValuesAreFreed() {
    const Compiled compiled = compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n"
                                                 "    return torch.softmax(torch.mm(torch.cumsum(x, 0), self.w), 1)",
                                                 {Build::parameter("w", learned({3, 3}))}),
                                      R"([{"shape":[2,3],"requires_grad":true}])");
    const CompileRecord& record = compiled.record();
    const auto compiler = std::make_shared<WatchingCompiler>(record.metadata->forwardReturns());
    const auto function = CompiledFunction::make(
        {.metadata = *record.metadata,
         .graphMetadata = *record.graphMetadata,
         .outputViews = {ViewSequence{}},
         .compilers = {compiler, compiler},
         .forward = record.graph(GraphKind::forward),
         .backward = record.graph(GraphKind::backward),
         .sizes = std::make_shared<SizeGuards>(*record.metadata, compiled.modelRun.function().exampleLeaves(),
                                               std::vector<Symbol>(), std::vector<SymbolBinding>(),
                                               std::vector<SizeCondition>())});
    const RunArguments arguments = compiled.modelRun.arguments(/*ownState=*/true);
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

/// If recomputation pays off, the peak memory of a step is below that of eager.
void TestTraining::peakIsBelowEager_data() {
    QTest::addColumn<QString>("body");
    QTest::newRow("pointwise chain")
        << u"    for i in range(8):\n        x = x.sin() * x.cos() + 0.1 * x.tanh()\n    return x"_s;
    QTest::newRow("gelu by hand") << u"    h = torch.mm(x, self.w)\n"
                                     "    h = 0.5 * h * (1 + torch.tanh(0.797885 * (h + 0.044715 * h * h * h)))\n"
                                     "    h = torch.mm(h, self.w)\n"
                                     "    return 0.5 * h * (1 + torch.tanh(0.797885 * (h + 0.044715 * h * h * h)))"_s;
    QTest::newRow("normalisation by hand")
        << u"    c = x - x.mean(1, True)\n    n = c / (c * c).mean(1, True).add(1e-5).sqrt()\n"
           "    return (n * self.w[0] + self.w[1]).sigmoid() * n"_s;
}
void TestTraining::peakIsBelowEager() {
    QFETCH(QString, body);
    constexpr std::int64_t size = 256;
    const Compiled compiled =
        compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n" + body.toStdString(),
                           {Build::parameter("w", at::ones({size, size}).mul(0.01).set_requires_grad(true))}),
                R"([{"shape":[256,256],"requires_grad":true}])");
    QCOMPARE(q(compiled.record().error), QString());
    const auto peak = [&](const Callable& function) {
        const RunArguments arguments = compiled.modelRun.arguments(/*ownState=*/true);
        const MemoryMeter meter;
        function(arguments.leaves).at(0).toTensor().sum().backward();
        return meter.peak();
    };
    peak(asCompiled(compiled));  // the backward is compiled now
    const auto expected = peak(eager(compiled)), actual = peak(asCompiled(compiled));
    qInfo("eager %.1f MB, compiled %.1f MB", static_cast<double>(expected) / 1e6, static_cast<double>(actual) / 1e6);
    QVERIFY(actual < expected);
}
