// The live-memory model: against counts by hand on small graphs, and against the allocator on models.

#include "cost/book/record_costs.h"
#include "cost/book/record_operations.h"
#include "cost/book/signature.h"
#include "cost/copies_saved.h"
#include "cost/copy_at_peak.h"
#include "cost/live_memory.h"
#include "cost/node_figures.h"
#include "cost/variant_costs.h"
#include "ir/parser.h"
#include "load/sample_list.h"
#include "passes/repartition.h"
#include "session/session.h"
#include "support/long_tests.h"
#include "support/models.h"
#include "support/test_program.h"
#include "support/text.h"
#include "verify/measure/operators_alone.h"
#include "verify/measure/timing.h"

#include <array>

namespace aotscope::test::live_memory_test {
namespace {

std::vector<std::int64_t> bytesOf(const LiveMemory& memory) {
    std::vector<std::int64_t> bytes;
    for (const MemoryPoint& point : memory.curve) bytes.push_back(point.bytes);
    return bytes;
}

LiveMemory inferenceMemory(const char* text) { return liveMemory(*parseGraph(text), FunctionMetadata()); }

std::vector<std::string> namesAt(const LiveMemory& memory, std::size_t point) {
    std::vector<std::string> names;
    for (const LiveValue& value : memory.liveAt(point)) names.push_back(value.name);
    return names;
}

ModelRun chain() {
    const char* methods =
        "def forward(self, x: Tensor) -> Tensor:\n"
        "    for i in range(6):\n"
        "        x = torch.sin(x) * torch.cos(x) + torch.sigmoid(x)\n"
        "    return x.sum()";
    return modelRunOf(moduleFrom(methods), R"([{"shape": [64, 512], "requires_grad": true}])");
}

/// Predicted and measured memory of a run with this budget.
struct Outcome {
    LiveMemory predicted;
    TimingResult measured;
};

Outcome outcomeOf(const std::string& sample, double budget) {
    const auto session = Session::open({.model = "sample:" + sample, .partition = {.memoryBudget = budget}}, {});
    return {*liveMemory(*session->record()), session->time({1}, {})};
}

/// Peaks during operations other than convolutions. The workspace of a convolution depends on the kernel that oneDNN
/// has for the CPU: without AVX-512, up to eight times the weight.
struct Peaks {
    std::int64_t predicted = 0, measured = 0;
};

Peaks peaksBesideConvolutions(const Outcome& outcome) {
    Peaks peaks;
    auto point = outcome.predicted.curve.begin();
    for (const StepTime& step : outcome.measured.steps) {
        point = std::find_if(point, outcome.predicted.curve.end(),
                             [&](const MemoryPoint& p) { return p.node == step.node; });
        if (point == outcome.predicted.curve.end()) throw Error("no point of the predicted curve for " + step.name);
        if (!step.op.starts_with("aten.convolution")) {
            peaks.predicted = std::max(peaks.predicted, point->bytes);
            peaks.measured = std::max(peaks.measured, step.liveBytes);
        }
        ++point;
    }
    return peaks;
}

constexpr std::int64_t kNumberBytes = 16;
constexpr std::int64_t kBranchBytes = 16;  ///< that the other branch would need

bool within(double share, std::int64_t predicted, std::int64_t measured) {
    return std::abs(static_cast<double>(predicted - measured)) <= share * static_cast<double>(measured);
}

}  // namespace

class TestLiveMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A copy that doubles memory is reported if its original ends with it, and only then.
    void copiesAtThePeak() {
        const auto said = [](const char* result) {
            const auto compiled =
                compile(moduleFrom(std::string("def forward(self, x: Tensor):\n    y = x.sin()\n") + result),
                        R"([{"shape": [512, 1024]}])");
            return q(copyAtPeak(compiled.record()));
        };
        const QString copy = said("    return y.clone().cos()\n");
        QVERIFY2(copy.contains(u"%clone"_s) && copy.contains(u"2.10 MB"_s), qPrintable(copy));
        for (const char* needed : {"    return y.clone().cos(), y\n", "    z = y.clone()\n    return z.cos() + y\n",
                                   "    return y.t().contiguous().cos()\n", "    return x.clone().cos()\n"})
            QCOMPARE(said(needed), QString());
    }

    /// Saved copies that nobody writes into are reported, and dropped on request: nothing else changes.
    void copiesNobodyWritesInto() {
        const auto module = moduleFrom(
            "def forward(self, x: Tensor):\n    y = torch.mm(x, x.t())\n    z = y.clone()\n"
            "    return torch.sin(z.view([-1])), y.cos().sum()");
        const std::string inputs = R"([{"shape": [600, 600], "requires_grad": true}])";
        for (const auto algorithm : {PartitionAlgorithm::defaultPartition, PartitionAlgorithm::minCut}) {
            Options options{.partition = {.algorithm = algorithm, .save = {"clone"}}};
            const Compiled before = compile(module, inputs, options);
            const QString said = q(copiesSaved(before.record()));
            QVERIFY2(said.startsWith(u"1.44 MB of the saved values are 1 copy"_s), qPrintable(said));
            QVERIFY2(said.contains(u"%clone"_s) && said.contains(u"--drop-copies"_s), qPrintable(said));
            QVERIFY(std::ranges::count(before.record().warnings, said.toStdString()) == 1);
            options.partition.dropCopies = true;
            const Compiled after = compile(module, inputs, options);  // an override means the original now
            QCOMPARE(q(copiesSaved(after.record())), QString());
            QVERIFY(!after.record().graph(GraphKind::joint)->findByName("clone"));
            QVERIFY(check(after).ok);
            const LiveMemory with = *liveMemory(before.record()), without = *liveMemory(after.record());
            QCOMPARE(with.savedBytes - without.savedBytes, 1'440'000);
            QVERIFY(without.peakBytes <= with.peakBytes);
            // Partitioned again, either is as the other.
            const auto savedBy = [](const CompileRecord& record) {
                std::vector<std::string> names;
                for (const SavedValue& value : record.partition->saved) names.push_back(value.name);
                return names;
            };
            QCOMPARE(savedBy(*repartition(before.record(), options.partition, {})), savedBy(after.record()));
            QCOMPARE(savedBy(*repartition(after.record(), before.options.partition, {})), savedBy(before.record()));
            QCOMPARE(after.record().metadata->outputs.size(), before.record().metadata->outputs.size());
            for (std::size_t i = 0; i < after.record().metadata->outputs.size(); ++i)
                QCOMPARE(after.record().metadata->outputs[i].type, before.record().metadata->outputs[i].type);
        }
    }

    /// Autograd adds up the gradients of an output and of its views in memory of its own.
    void gradientsOfViewsAreAdded() {
        const ModelRun modelRun =
            modelRunOf(moduleFrom("def forward(self, x: Tensor):\n    y = torch.sin(x)\n    return y, y[0]"),
                       R"([{"shape": [64, 512], "requires_grad": true}])");
        const Compilation compilation = compileFunction(modelRun.function(), {}, modelRun.dynamicShapes(), Progress());
        const TimingResult timing =
            timeAgainstEager(modelRun, *compilation.function, *compilation.record, {}, {1}, Progress());
        QCOMPARE(liveMemory(*compilation.record)->peakBytes, timing.compiledPeakBytes);
    }

    void valuesAreFreedAfterTheirLastUse() {
        const LiveMemory memory = inferenceMemory(R"g(graph inference
  %x : f32[4]<0, 0, 16> = placeholder(input)
  %a : f32[4]<1, 0, 16> = aten.sum.dim_IntList(%x, [0])
  %b : f32[4]<2, 0, 16> = aten.sum.dim_IntList(%a, [0])
  %c : f32[4]<3, 0, 16> = aten.sum.dim_IntList(%b, [0])
  return [%c : output]
)g");
        QCOMPARE(bytesOf(memory), (std::vector<std::int64_t>{16, 32, 32, 16}));
        QCOMPARE(memory.givenBytes, 16);
        QCOMPARE(memory.peakBytes, 32);
        QCOMPARE(namesAt(memory, 1), (std::vector<std::string>{"a", "b"}));
        QCOMPARE(namesAt(memory, 3), (std::vector<std::string>{"c"}));
        QCOMPARE(memory.values.back().kind, MemoryKind::output);
    }

    /// A group's intermediate values need no memory, and its result takes that of an operand that ends with it. Groups
    /// that the compiler did not make, as a file may say, run one by one.
    void groupsAreOneStep() {
        CompileRecord record;
        record.graphs[GraphKind::inference] = parseGraph(R"g(graph inference
  %x : f32[4]<0, 0, 16> = placeholder(input)
  %a : f32[4]<1, 0, 16> = aten.cumsum.default(%x, 0)
  %b : f32[4]<2, 0, 16> = aten.sin.default(%a)
  %c : f32[4]<3, 0, 16> = aten.mul.Tensor(%a, %b)
  %d : f32[4]<4, 0, 16> = aten.cumsum.default(%c, 0)
  return [%d : output]
)g");
        const std::vector<std::int64_t> alone{16, 32, 32, 32, 16};
        QCOMPARE(bytesOf(*liveMemory(record)), alone);
        const Graph& graph = *record.graphs.at(GraphKind::inference);
        const std::vector<NodeId> made{graph.findByName("b")->id(), graph.findByName("c")->id()};
        record.compilers = {{GraphKind::inference, "fused", "fused", "", {made}, 1}};
        const LiveMemory memory = *liveMemory(record);
        QCOMPARE(bytesOf(memory), (std::vector<std::int64_t>{16, 16, 32, 16}));
        QCOMPARE(memory.curve[1].node, made.back());
        record.compilers[0].groups = {{made.back()}};
        QCOMPARE(bytesOf(*liveMemory(record)), alone);
    }

    void viewsKeepTheirBases() {
        const LiveMemory memory = inferenceMemory(R"g(graph inference
  %x : f32[4]<0, 0, 16> = placeholder(input)
  %a : f32[4]<1, 0, 16> = aten.sum.dim_IntList(%x, [0])
  %v : f32[2]<1, 0, 16> = aten.slice.Tensor(%a, 0, 0, 2)
  %b : f32[4]<2, 0, 16> = aten.sum.dim_IntList(%x, [0])
  %c : f32[4]<3, 0, 16> = aten.mm.default(%v, %b)
  %d : f32[4]<4, 0, 16> = aten.sum.dim_IntList(%c, [0])
  return [%d : output]
)g");
        QCOMPARE(bytesOf(memory), (std::vector<std::int64_t>{16, 16, 32, 48, 32, 16}));
    }

    void pointwiseOperationsReuseUnsharedMemory() {
        const LiveMemory memory = inferenceMemory(R"g(graph inference
  %x : f32[4]<0, 0, 16> = placeholder(input)
  %a : f32[4]<1, 0, 16> = aten.sin.default(%x)
  %b : f32[4]<2, 0, 16> = aten.cos.default(%a)
  %c : f32[4]<3, 0, 16> = aten.mul.Tensor(%b, %b)
  %d : f32[4]<4, 0, 16> = aten.add.Tensor(%c, %b)
  return [%d : output]
)g");
        // sin: the input is the caller's. cos: in place. mul: both operands are one. add: in place.
        QCOMPARE(bytesOf(memory), (std::vector<std::int64_t>{16, 16, 32, 32, 16}));
    }

    void unusedTupleElementsAreFreedAtOnce() {
        const LiveMemory memory = inferenceMemory(R"g(graph inference
  %x : f32[4]<0, 0, 16> = placeholder(input)
  %m : (f32[4]<1, 0, 16>, i64[4]<2, 0, 32>) = aten.max.dim(%x, 0)
  %g : f32[4]<1, 0, 16> = operator.getitem(%m, 0)
  %s : f32[4]<3, 0, 16> = aten.sum.dim_IntList(%g, [0])
  return [%s : output]
)g");
        QCOMPARE(bytesOf(memory), (std::vector<std::int64_t>{48, 32, 16}));
    }

    /// A cond needs the memory of its larger branch; a map has the results of all steps besides its own.
    void subgraphsNeedMemoryWhileTheyRun() {
        const LiveMemory memory = inferenceMemory(R"g(graph inference
  %p : b8[]<0, 0, 1> = placeholder(input)
  %x : f32[5, 4]<1, 0, 80> = placeholder(input)
  %c : (f32[4]<2, 0, 16>) = higher_order.cond(%p, @one, @two, [%x])
  %g : f32[4]<2, 0, 16> = operator.getitem(%c, 0)
  %m : (f32[5, 4]<3, 0, 80>) = higher_order.map_impl(@step, [%x], [%g])
  %h : f32[5, 4]<3, 0, 80> = operator.getitem(%m, 0)
  return [%h : output]
graph inference.one
  %x : f32[5, 4] = placeholder
  %a : f32[5, 4] = aten.sin.default(%x)
  %b : f32[4] = aten.sum.dim_IntList(%a, [0])
  return [%b : output]
graph inference.two
  %x : f32[5, 4] = placeholder
  %b : f32[4] = aten.sum.dim_IntList(%x, [0])
  return [%b : output]
graph inference.step
  %v : f32[4] = placeholder
  %w : f32[4] = placeholder
  %y : f32[4] = aten.add.Tensor(%v, %w)
  return [%y : output]
)g");
        // The cond: 80 and 16 in its first branch. The map: 16 of the cond, five times 16, and 80.
        QCOMPARE(bytesOf(memory), (std::vector<std::int64_t>{96, 176, 80}));
    }

    void subgraphsUseThePredictedMemory_data() {
        rowsOf("model", {"cond", "nested", "map", "scan", "whileloop", "associativescan"});
    }
    /// Not less than measured, and not more than the other branch would need.
    void subgraphsUseThePredictedMemory() {
        QFETCH(QString, model);
        const auto session = Session::open(
            {.model = AOTSCOPE_SOURCE_DIR "/tests/data/higher_order/" + model.toStdString() + ".pt2"}, {});
        const LiveMemory predicted = *liveMemory(*session->record());
        const TimingResult measured = session->time({1}, {});
        for (const StepTime& step : measured.steps) {
            if (!step.op.starts_with("higher_order.")) continue;
            const auto point = std::ranges::find(predicted.curve, step.node, &MemoryPoint::node);
            QVERIFY(point != predicted.curve.end());
            QVERIFY2(point->bytes >= step.liveBytes - kNumberBytes && point->bytes <= step.liveBytes + kBranchBytes,
                     qPrintable(u"%1: %2, measured %3"_s.arg(q(step.name)).arg(point->bytes).arg(step.liveBytes)));
        }
    }

    void savedValuesLiveUntilTheBackwardHasUsedThem() {
        const ModelRun modelRun = chain();
        Options options;
        const Compilation compilation =
            compileFunction(modelRun.function(), options, modelRun.dynamicShapes(), Progress());
        const Partition& partition = *compilation.record->partition;
        const LiveMemory memory = liveMemory(partition, *compilation.record->graphMetadata);
        QCOMPARE(memory.savedBytes, partition.savedUniqueBytes());
        const auto between = std::find_if(memory.curve.begin(), memory.curve.end(),
                                          [](const MemoryPoint& p) { return p.node == kNoNode; });
        QVERIFY(between != memory.curve.end());
        for (const LiveValue& value : memory.values) {
            const bool saved = value.kind == MemoryKind::saved;
            const auto middle = static_cast<std::size_t>(between - memory.curve.begin());
            QCOMPARE(saved, value.first <= middle && value.last > middle && !isGiven(value.kind) &&
                                value.kind != MemoryKind::output);
            if (saved) QVERIFY(value.last + 1 < memory.curve.size());
        }
        QVERIFY(std::any_of(memory.values.begin(), memory.values.end(), [&](const LiveValue& value) {
            return value.kind == MemoryKind::gradient && value.last + 1 == memory.curve.size();
        }));
    }

    void measuredOperationsArePredictedExactly_data() {
        const auto row = columns<QByteArray, QByteArray>("code", "inputs");
        const auto images = R"([{"shape": [2, 16, 9, 9], "requires_grad": true},
                                {"shape": [16, 8, 3, 3], "requires_grad": true}])";
        row("transposed convolution", "torch.conv_transpose2d(x, w, None, [2, 2])", images);
        row("convolution", "torch.conv2d(x, w.transpose(0, 1), None, [1, 1], [1, 1])", images);
        row("depthwise convolution", "torch.conv2d(x, w[:, :1], None, [1, 1], [1, 1], [1, 1], 16)", images);
        row("interpolation", "torch.upsample_bilinear2d(x, [18, 18], False).sum() * w.sum()", images);
        row("normalization", "torch.layer_norm(x, [9, 9]) * 3 + torch.group_norm(x, 4) + w.sum()", images);
        row("pooling", "torch.max_pool2d(torch.gelu(x), [3, 3]).mean() / 7 + w.std()", images);
        row("products", "torch.logsumexp(torch.mm(x, w), 1) + torch.sort(x, 0)[0].sum()",
            R"([{"shape": [33, 65], "requires_grad": true}, {"shape": [65, 17], "requires_grad": true}])");
    }
    /// Once they have run, whatever their libraries allocate, and as much when they run alone.
    void measuredOperationsArePredictedExactly() {
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, inputs);
        const std::string method =
            "def forward(self, x: Tensor, w: Tensor) -> Tensor:\n    return " + code.toStdString();
        const ModelRun modelRun = modelRunOf(moduleFrom(method.c_str()), inputs.constData());
        constexpr auto kDefault = PartitionAlgorithm::defaultPartition, kMinCut = PartitionAlgorithm::minCut;
        for (const auto& [algorithm, compiler] : {std::pair(kDefault, "interpreter"), std::pair(kMinCut, "interpreter"),
                                                  std::pair(kDefault, "fused"), std::pair(kMinCut, "fused")}) {
            Options options;
            options.partition.algorithm = algorithm;
            options.compilers.forward = compiler;
            const Compilation compilation =
                compileFunction(modelRun.function(), options, modelRun.dynamicShapes(), Progress());
            CompileRecord record = *compilation.record;
            const TimingResult timing =
                timeAgainstEager(modelRun, *compilation.function, record, options, {1}, Progress());
            OperatorBook ran, alone;
            for (const OperatorEntry& entry : entriesOf(timing, record)) ran.add(entry);
            record.costs = std::make_shared<const OperatorCosts>(costsIn(ran, record, timing.load.threads));
            const LiveMemory memory = *liveMemory(record);
            QCOMPARE(memory.peakBytes, timing.compiledPeakBytes);
            QCOMPARE(memory.operationsBy[1] + memory.operationsBy[2], 0U);
            auto point = memory.curve.begin();
            for (const StepTime& step : timing.steps) {
                if (point->node == kNoNode) ++point;
                QVERIFY2(point->bytes >= step.liveBytes, step.op.c_str());
                ++point;
            }
            if (options.compilers.forward != "interpreter") continue;
            measureAlone(record, OperatorBook(), "cpu", [&](const OperatorEntry& entry) { alone.add(entry); }, {});
            QVERIFY(!alone.entries().empty());
            for (const OperatorEntry& entry : alone.entries()) {
                const OperatorEntry* same = ran.find(entry.signature, entry.threads);
                if (same) QVERIFY2(same->innerBytes == entry.innerBytes, entry.signature.c_str());
            }
        }
    }

    void workspacesFollowFromTypes_data() {
        const auto row = columns<QByteArray>("result");
        row("rolled", "torch.roll(x, [1, 2], [0, 1])");
        row("mixed dtypes", "(x > 0) * x");
        row("counted", "(x > 0).sum()");
        row("magnitudes", "torch.view_as_complex(x.reshape([-1, 2])).abs()");
        row("log softmax of strided values", "torch.log_softmax(x.transpose(1, 3), 1)");
        row("layer norm of strided values", "torch.layer_norm(x.transpose(1, 2), [64])");
        row("mean square", "torch.mse_loss(x, x * 2)");
        row("group norm", "torch.group_norm(x, 2)");
        row("attention", "torch.scaled_dot_product_attention(x, x, x)");
    }
    /// Before anything has run: what a kernel allocates by itself.
    void workspacesFollowFromTypes() {
        QFETCH(QByteArray, result);
        constexpr std::int64_t kNumbers = 64;  // that are made tensors
        const Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return " + result.toStdString()),
                    R"([{"shape": [2, 16, 48, 64], "requires_grad": true}])");
        std::int64_t most = 0;
        measureAlone(
            compiled.record(), OperatorBook(), "cpu",
            [&](const OperatorEntry& entry) {
                for (const AlikeOperations& alike : operationsIn(compiled.record(), GraphsOf::runs)) {
                    if (signatureOf(*alike.node) != entry.signature) continue;
                    const OperatorCosts nothing{.threads = entry.threads};
                    const std::int64_t found = *entry.innerBytes;
                    const std::int64_t said = innerBytesOf(*alike.node, nothing).value;
                    most = std::max(most, said);
                    QVERIFY2(
                        std::abs(found - said) <= kNumbers,
                        (entry.signature + ": " + std::to_string(found) + ", not " + std::to_string(said)).c_str());
                }
            },
            {});
        QVERIFY(most > kNumbers);
    }

    /// At every operation: only a number that is made a tensor needs memory of its own in this program.
    void everyStepIsAsPredicted() {
        Options options;
        const ModelRun modelRun = chain();
        for (const auto algorithm : {PartitionAlgorithm::defaultPartition, PartitionAlgorithm::minCut}) {
            options.partition.algorithm = algorithm;
            const Compilation compilation =
                compileFunction(modelRun.function(), options, modelRun.dynamicShapes(), Progress());
            const TimingResult timing =
                timeAgainstEager(modelRun, *compilation.function, *compilation.record, options, {1}, Progress());
            const LiveMemory memory = *liveMemory(*compilation.record);
            std::size_t point = 0;
            for (const StepTime& step : timing.steps) {
                if (memory.curve[point].node == kNoNode) ++point;
                QCOMPARE(memory.curve[point].node, step.node);
                const std::int64_t more = step.liveBytes - memory.curve[point].bytes;
                QVERIFY2(more >= 0 && more <= kNumberBytes, (step.name + ": " + std::to_string(more)).c_str());
                ++point;
            }
            QVERIFY(timing.compiledPeakBytes - memory.peakBytes <= kNumberBytes);
            QVERIFY(timing.compiledPeakBytes >= memory.peakBytes);
            QCOMPARE(timing.compiledSavedBytes, memory.savedBytes);
        }
    }

    void modelsUseThePredictedMemory_data() {
        const auto row = columns<QString, double>("sample", "budget");
        const std::array budgets{1.0, 0.5, 0.2};
        std::size_t left = 0;  // out, in turn
        for (const SampleInfo& sample : sampleList()) {
            if (isLargeSample(sample.name) && !longTests()) continue;
            left = (left + 1) % budgets.size();
            for (std::size_t i = 0; i < budgets.size(); ++i)
                if (longTests() || i != left)
                    row(u"%1 %2"_s.arg(q(sample.name)).arg(budgets[i]), q(sample.name), budgets[i]);
        }
    }
    void modelsUseThePredictedMemory() {
        QFETCH(QString, sample);
        QFETCH(double, budget);
        const Outcome outcome = outcomeOf(sample.toStdString(), budget);
        const auto text = [](std::int64_t predicted, std::int64_t measured) {
            return "predicted " + std::to_string(predicted) + ", measured " + std::to_string(measured);
        };
        const LiveMemory& predicted = outcome.predicted;
        QVERIFY2(within(0.1, predicted.savedBytes, outcome.measured.compiledSavedBytes),
                 text(predicted.savedBytes, outcome.measured.compiledSavedBytes).c_str());
        const Peaks peaks = peaksBesideConvolutions(outcome);
        QVERIFY2(within(0.1, peaks.predicted, peaks.measured), text(peaks.predicted, peaks.measured).c_str());
        const std::int64_t peak = outcome.measured.compiledPeakBytes;
        QVERIFY2(predicted.peakBytes <= peak || within(0.1, predicted.peakBytes, peak),
                 text(predicted.peakBytes, peak).c_str());
    }
};

AOTSCOPE_TEST(TestLiveMemory)

}  // namespace aotscope::test::live_memory_test

#include "test_live_memory.moc"
