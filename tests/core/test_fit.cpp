// Memory and time of a whole training step: optimizers, other batch sizes, and the largest batch that fits.

#include "cost/fit/batch_search.h"
#include "cost/fit/batch_size.h"
#include "cost/fit/data_sheet.h"
#include "cost/fit/training_step.h"
#include "cost/live_memory.h"
#include "io/tables/fit_table.h"
#include "io/tables/table_text.h"
#include "ir/graph_at.h"
#include "ir/parser.h"
#include "record/record_at.h"
#include "session/session.h"
#include "support/error.h"
#include "support/test_program.h"
#include "support/text.h"

#include <nlohmann/json.hpp>

#include <set>

namespace aotscope::test::fit_test {
namespace {

TensorType parameter(std::vector<std::int64_t> sizes, const char* device = "cpu", DType dtype = DType::f32) {
    TensorType type{.dtype = dtype, .sizes = std::move(sizes), .device = {device}};
    type.strides = contiguousStrides(type.sizes);
    return type;
}

std::vector<TensorType> someParameters(const char* device) {
    return {parameter({512, 256}, device), parameter({512}, device), parameter({256, 512}, device),
            parameter({64, 32, 3, 3}, device), parameter({10}, device)};
}

std::shared_ptr<const Session> opened(const std::string& model, const std::vector<std::string>& dynamic,
                                      InputSource inputs = {}, const std::string& compiler = "interpreter") {
    Options options{.model = model, .inputs = std::move(inputs)};
    options.compilers.forward = compiler;
    for (const std::string& name : dynamic) options.dynamic.push_back({name});
    return Session::open(options, {});
}

std::shared_ptr<CompileRecord> withBatch(const CompileRecord& record, const std::vector<std::string>& names,
                                         std::int64_t batch) {
    SymbolValues values;
    for (const Symbol& symbol : symbolsNamed(record, names)) values[symbol.name] = batch;
    return recordAt(record, values);
}

InputSpec withFirstSize(InputSpec spec, std::int64_t size) {
    for (ValueSpec& value : spec.values) std::get<LeafSpec>(value).shape.front() = size;
    return spec;
}

/// A step that needs `batch` squared bytes.
TrainingStep squared(std::int64_t batch) { return {.forwardBytes = batch * batch}; }

std::vector<std::int64_t> batchesOf(const BatchSearch& found) {
    std::vector<std::int64_t> batches;
    for (const BatchStep& row : found.rows) batches.push_back(row.batch);
    return batches;
}

}  // namespace

class TestFit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// As torch.optim of PyTorch 2.13 allocates it for these parameters, without scalars; adam8bit and lion: by hand.
    void optimizersNeedWhatPyTorchAllocates_data() {
        const auto row = columns<QString, qint64, qint64>("call", "states", "update");
        row("sgd cpu", 0, 0);
        row("momentum cpu", 1'124'392, 0);
        row("adam cpu", 2'248'804, 1'050'624);
        row("adamw cpu", 2'248'804, 1'050'624);
        row("adam cuda:0", 2'248'784, 1'124'392);
        row("adamw cuda:0", 2'248'784, 1'124'392);
        row("adafactor cpu", 57'404, 655'360);
        // Three tensors of blocks of 256, and two with states in float32.
        row("adam8bit cuda:0", 2 * (280'576 + 4 * 1'096) + 2 * 4 * 522, 0);
        row("lion cpu", 1'124'392, 4 * 524'288 - 524'288 + 2'048);
        // Two matrices with momentum; AdamW has the other three.
        row("muon cuda:0", 1'048'576 + 2 * 75'816, 524'288 + 2 * 262'144 + 2 * 131'072);
    }
    void optimizersNeedWhatPyTorchAllocates() {
        QFETCH(QString, call);
        FETCH(qint64, states, update);
        const OptimizerFormula& rule = optimizerFormulaNamed(call.section(u' ', 0, 0).toStdString());
        const auto parameters = someParameters(call.section(u' ', 1).toUtf8().constData());
        const OptimizerMemory memory = optimizerMemory(rule, parameters, usualOrder(rule, parameters.front()));
        QCOMPARE(memory.states, states);
        QCOMPARE(memory.update, update);
        QVERIFY(memory.moved >= 3 * 1'124'392 && memory.launches > 0);
    }

    /// States have the parameter's dtype; those of adam8bit do not depend on it.
    void statesFollowTheDtype() {
        const auto statesOf = [](const char* optimizer, DType dtype) {
            return optimizerFormulaNamed(optimizer).of(parameter({64, 64}, "cuda:0", dtype), UpdateOrder::loop).state;
        };
        QCOMPARE(statesOf("adamw", DType::bf16), 2 * 2 * 4096);
        QCOMPARE(statesOf("adamw", DType::f32), 2 * 4 * 4096);
        QCOMPARE(statesOf("adam8bit", DType::bf16), statesOf("adam8bit", DType::f32));
        QVERIFY_THROWS_EXCEPTION(UsageError, optimizerFormulaNamed("adamax"));
    }

    /// The numbers of all types are those for other values of the symbols, in subgraphs and storages, too.
    void graphsAtOtherSizes() {
        const auto graph = parseGraph(R"g(graph f where s0 = 4 in 2..
  %x : f32[s0, 8]<0, 0, 128> = placeholder(input)
  %view : f32[8*s0]<0, 0, 128> = aten.view.default(%x, [-1])
  %w : f32[8, 8]<1, 0, 256> = placeholder(parameter)
  %mm : f32[s0, 8]<2, 0, 128> = aten.mm.default(%x, %w)
  return [%mm : output]
)g");
        const auto larger = graphAt(*graph, {{"s0", 10}});
        const auto typeOf = [](const Graph& of, const char* name) { return *of.findByName(name)->type.tensor(); };
        QCOMPARE(typeOf(*larger, "mm").sizes, (std::vector<std::int64_t>{10, 8}));
        QCOMPARE(typeOf(*larger, "view").sizes, std::vector<std::int64_t>{80});
        QCOMPARE(typeOf(*larger, "x").storageBytes, 320);
        QCOMPARE(typeOf(*larger, "w").storageBytes, 256);
        QCOMPARE(typeOf(*graph, "mm").sizes.front(), 4);
        QVERIFY(typeOf(*graphAt(*larger, {{"s0", 4}}), "view") == typeOf(*graph, "view"));
        QVERIFY_THROWS_EXCEPTION(Error, graphAt(*graph, {}));
    }

    /// A record at another size has the memory and the time of one that was compiled for it.
    void recordsAtOtherSizes_data() {
        const auto row = columns<QString, QString>("sample", "compiler");
        for (const char* sample : {"mlp", "gpt2-tiny", "resnet18"}) row(sample, "interpreter");
        row("bert-tiny", "fused");
    }
    void recordsAtOtherSizes() {
        FETCH(QString, sample, compiler);
        const std::string model = "sample:" + sample.toStdString();
        const auto example = opened(model, {});
        const std::vector<std::string> names = sharedDimension(*example->record());
        QVERIFY(!names.empty());
        const auto dynamic = opened(model, names, {}, compiler.toStdString());
        QVERIFY(!symbolsNamed(*dynamic->record(), names).empty());  // inputs may share one
        const OptimizerFormula& adamw = optimizerFormulaNamed("adamw");
        std::int64_t last = 0;
        for (const std::int64_t batch : {std::int64_t{1}, std::int64_t{5}, std::int64_t{12}}) {
            const auto compiled = opened(model, {}, withFirstSize(example->inputSpec(), batch), compiler.toStdString());
            const auto evaluated = withBatch(*dynamic->record(), names, batch);
            const LiveMemory predicted = *liveMemory(*evaluated), expected = *liveMemory(*compiled->record());
            QCOMPARE(predicted.peakBytes, expected.peakBytes);
            QCOMPARE(predicted.givenBytes, expected.givenBytes);
            QCOMPARE(predicted.savedBytes, expected.savedBytes);
            const NodeTimes times(assumedGpu());
            const TrainingStep step = trainingStep(*evaluated, adamw, times),
                               same = trainingStep(*compiled->record(), adamw, times);
            QCOMPARE(step.peakBytes(), same.peakBytes());
            QVERIFY(std::abs(step.ms() - same.ms()) < 0.02 * same.ms());
            QVERIFY(step.peakBytes() > last);
            last = step.peakBytes();
        }
    }

    /// The figures of `run` and `pareto` at the model's own size.
    void ownSizeIsThatOfTheRecord() {
        const auto session = opened("sample:gpt2-tiny", {});
        const CompileRecord& record = *session->record();
        const NodeTimes times(usualCpu());
        const TrainingStep step = trainingStep(record, optimizerFormulaNamed("sgd"), times);
        const LiveMemory memory = *liveMemory(record);
        QCOMPARE(step.livePeakBytes(), memory.peakBytes);
        QCOMPARE(step.parameterBytes + step.bufferBytes + step.inputBytes + step.tangentBytes, memory.givenBytes);
        QCOMPARE(step.peakIn(StepPhase::backward),
                 step.lastingBytes() + step.inputBytes + step.tangentBytes + step.backwardBytes);
        const VariantCosts costs = costsOf(*record.partition, record.knownMetadata(), times);
        QCOMPARE(step.forwardMs, costs.forwardMs);
        QCOMPARE(step.backwardMs, costs.backwardMs);
        QCOMPARE(step.stateBytes, 0);
        QCOMPARE(step.gradientBytes, step.parameterBytes);
    }

    /// Of a model that returns logits: as measured, three or four tensors of their size. A loss is a number.
    void lossesOfModelsWithoutOne() {
        const auto session = opened("sample:gpt2-tiny", {});
        const NodeTimes times(usualCpu());
        const auto stepWith = [&](AssumedLoss loss) {
            return trainingStep(*session->record(), optimizerFormulaNamed("sgd"), times, loss);
        };
        const TrainingStep entropy = stepWith(AssumedLoss::crossEntropy), square = stepWith(AssumedLoss::meanSquare);
        QCOMPARE(square.lossBytes - entropy.lossBytes, entropy.tangentBytes);
        QCOMPARE(entropy.tangentBytes, 2 * 32 * 512 * 4);
        QVERIFY(square.peakPhase() == StepPhase::loss);
        QCOMPARE(name(AssumedLoss::crossEntropy), "cross-entropy");
        CompileRecord withLoss = *session->record();
        withLoss.partition = std::make_shared<Partition>(*withLoss.partition);
        const std::shared_ptr<Graph> backward = withLoss.partition->backward->clone();
        for (Node* input : backward->placeholders())
            if (input->role == Role::tangent) input->type = {parameter({})};
        std::const_pointer_cast<Partition>(withLoss.partition)->backward = backward;
        const TrainingStep own = trainingStep(withLoss, optimizerFormulaNamed("sgd"), times, AssumedLoss::meanSquare);
        QCOMPARE(square.lossBytes - own.lossBytes, 4 * square.tangentBytes - own.tangentBytes);
    }

    void phasesHaveTheirPeaks() {
        TrainingStep step{.parameterBytes = 100, .inputBytes = 10, .tangentBytes = 5, .stateBytes = 200};
        step.forwardBytes = 50, step.backwardBytes = 40, step.heldBytes = 30, step.updateBytes = 10;
        QCOMPARE(step.peakIn(StepPhase::forward), 360);
        QCOMPARE(step.peakIn(StepPhase::backward), 355);
        QCOMPARE(step.peakIn(StepPhase::update), 350);
        QVERIFY(step.peakPhase() == StepPhase::forward);
        QCOMPARE(step.peakIn(StepPhase::loss), 310);
        step.updateBytes = 100;
        QVERIFY(step.peakPhase() == StepPhase::update);
        QCOMPARE(step.peakBytes(), 440);
    }

    /// Finds the last batch that fits, and shows it with the next one among the usual ones.
    void searchesForTheLargestBatch() {
        std::multiset<std::int64_t> asked;
        const auto stepAt = [&](std::int64_t batch) {
            asked.insert(batch);
            return squared(batch);
        };
        const BatchSearch found = searchBatches({"", 1, 64}, 6, 37 * 37 + 5, stepAt);
        QCOMPARE(found.largest->batch, 37);
        QCOMPARE(found.next->batch, 38);
        QCOMPARE(batchesOf(found), (std::vector<std::int64_t>{1, 2, 4, 6, 8, 16, 32, 37, 38, 64}));
        for (const std::int64_t batch : asked) QCOMPARE(asked.count(batch), 1U);
        const QString text = q(fitTable(found).summary);
        QVERIFY2(text.contains(u"largest batch that fits into 1.37 kB: 37; 38 needs 70 B more"_s), qPrintable(text));
        QCOMPARE(tableJson(fitTable(found)).at(7).at("peak_bytes").get<int>(), 37 * 37);
        const nlohmann::json json = fitJson(found);
        QCOMPARE(json.at("largest_batch").get<int>(), 37);
        QCOMPARE(json.at("excess_bytes").get<int>(), 38 * 38 - (37 * 37 + 5));

        const BatchSearch all = searchBatches({"", 3, 20}, 6, 400, squared);
        QCOMPARE(batchesOf(all), (std::vector<std::int64_t>{3, 6, 12, 20}));
        QVERIFY(all.largest->batch == 20 && !all.next);
        QVERIFY(fitTable(all).summary.starts_with("all of these batches fit"));

        const BatchSearch none = searchBatches({"", 8, 16}, 6, 50, squared);
        QVERIFY(!none.largest && none.next->batch == 8);
        QVERIFY(fitTable(none).summary.starts_with("not even a batch of 8 fits into 50 B: it needs 14 B more"));
    }

    void rangesOfBatches_data() {
        const auto row = columns<QString, QString, int, int>("text", "name", "min", "max");
        row("8", "", 8, 8);
        row("1..64", "", 1, 64);
        row("4..", "", 4, 1 << 20);
        row("x.0=2..6", "x.0", 2, 6);
        for (const char* bad : {"", "0", "0..4", "64..1", "-3", "1..x", "..4", "=1..4", "x.0=", "1..2000000", "1.5"})
            row(bad, "", 0, 0);
    }
    void rangesOfBatches() {
        FETCH(QString, text, name);
        FETCH(int, min, max);
        if (min == 0) {
            QVERIFY_THROWS_EXCEPTION(UsageError, parseBatchRange(text.toStdString()));
            return;
        }
        const BatchRange range = parseBatchRange(text.toStdString());
        QCOMPARE(q(range.name), name);
        QCOMPARE(range.min, min);
        QCOMPARE(range.max, max);
    }

    /// What a size may be limits the batches; 1 counts as one more size of the same graphs.
    void batchesAreLimitedByTheirSize() {
        const std::vector<Symbol> sizes = {{"s0", 8, 2, 32, "x.size(0)", {}}};
        QCOMPARE(within({"", 1, 64}, sizes).min, 1);
        QCOMPARE(within({"", 1, 64}, sizes).max, 32);
        QVERIFY_THROWS_EXCEPTION(UsageError, within({"", 40, 64}, sizes));
    }

    void dataSheetsAreFound() {
        std::set<std::string_view> names;
        for (const DataSheet& sheet : dataSheets()) {
            QVERIFY(names.insert(sheet.name).second);
            QCOMPARE(dataSheetOf(std::string(sheet.title) + " 80GB HBM3"), dataSheetOf(sheet.title));
            const MachineModel machine = machineBy(sheet);
            QVERIFY(machine.halfProducts.perSecond >= machine.matrixFlops.perSecond);
            QVERIFY(machine.bytes.small > machine.bytes.large && machine.bytes.large < sheet.bandwidth);
        }
        QCOMPARE(dataSheetOf("NVIDIA A100-SXM4-40GB")->memory, 40e9);
        QCOMPARE(dataSheetOf("NVIDIA A100-SXM4-80GB")->memory, 80e9);
        QVERIFY(!dataSheetOf("NVIDIA A10G") && !dataSheetNamed("h1000"));
    }
};

AOTSCOPE_TEST(TestFit)

}  // namespace aotscope::test::fit_test

#include "test_fit.moc"
