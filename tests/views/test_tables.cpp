// The tables below the canvas: every row against the record that it was made from.

#include "cost/known_machines.h"
#include "io/text_report.h"
#include "ir/printer.h"
#include "ir/runtime_steps.h"
#include "models/communication_views.h"
#include "models/tables/contract_tables.h"
#include "models/tables/decomposition_tables.h"
#include "models/tables/table_content.h"
#include "partition/partition_joint.h"
#include "session/engine.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/records.h"
#include "views/table_cells.h"

namespace aotscope::test::tables_test {
namespace {

TimingResult someTiming(const CompileRecord& record) {
    TimingResult timing;
    timing.iterations = 3;
    timing.backward = true;
    timing.compiledForwardMs = {1, 1.5, 2, 2.5, 3};
    timing.eagerForwardMs = {2, 3, 4, 5, 6};
    timing.compiledBackwardMs = {5, 5.25, 5.5, 6, 7};
    timing.eagerBackwardMs = {6, 6.125, 6.25, 7, 8};
    timing.compiledPeakBytes = 1000;
    timing.eagerPeakBytes = 2000;
    const auto step = [&](GraphKind kind, std::size_t index, const char* name, double us) {
        const Node* node = record.graph(kind)->findByName(name);
        timing.steps.push_back(
            {kind, index, node->id(), node->name(), node->op(), us, node->type.tensor()->bytes(), 0, us / 2, us * 2});
    };
    step(GraphKind::forward, 0, "sin", 1500);
    step(GraphKind::forward, 1, "cos", 500);
    step(GraphKind::backward, 0, "neg", 2750);
    return timing;
}

}  // namespace

class TestTables : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tablesAreWellFormed_data() {
        columns<QString, bool>("sample", "inference");
        for (const char* sample : {"sincos", "mlp", "aliasing", "mutations", "resnet18", "gpt2-tiny", "bert-tiny"}) {
            QTest::newRow(sample) << sample << false;
            QTest::addRow("%s, inference", sample) << sample << true;
        }
    }
    void tablesAreWellFormed() {
        QFETCH(QString, sample);
        QFETCH(bool, inference);
        const auto record = recordOf(sample.toStdString(), inference);
        for (const auto& make : {inputsTable, outputsTable, runtimeTable}) {
            const TableContent table = make(*record);
            QVERIFY(!table.columns.empty());
            QVERIFY(!table.whenEmpty.isEmpty());
            QCOMPARE(problemOf(table, *record), QString());
        }
    }

    void inputs() {
        const auto record = recordOf("mlp");
        const TableContent table = inputsTable(*record);
        QCOMPARE(table.rows.size(), record->metadata->inputs.size());
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            const InputInfo& input = record->metadata->inputs[i];
            QCOMPARE(cell(table, i, "#"), QString::number(i));
            QCOMPARE(cell(table, i, "Name"), q(input.name));
            QCOMPARE(cell(table, i, "Role"), q(name(input.role)));
            QCOMPARE(cell(table, i, "Type"), q(printTensorType(*input.tensor)));
            QCOMPARE(cell(table, i, "Requires grad") == "yes"_L1, input.requiresGrad);
            QCOMPARE(table.rows[i].node, record->graph(GraphKind::joint)->placeholders()[i]->id());
        }
        QCOMPARE(cell(table, 0, "Name"), u"layers.0.weight"_s);
        QCOMPARE(cell(table, 6, "Name"), u"x"_s);
        QCOMPARE(cell(table, 6, "Type"), u"f32[32, 64]"_s);
        QCOMPARE(cell(table, 6, "Requires grad"), QString());
        QCOMPARE(table.summary, u"7 inputs, 0 mutated"_s);
    }

    /// A column for them, if there are any.
    void inputsThatAreDTensors() {
        const auto record =
            Session::open({.model = AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/dtensor/dtensor.log"}, {})->record();
        const TableContent table = inputsTable(*record);
        QCOMPARE(cell(table, 2, "Subclass"), u"DTensor(f32[16, 8], Shard(0)), mesh (tp=4)"_s);
        QCOMPARE(cell(table, 0, "Subclass"), QString());
        QCOMPARE(problemOf(table, *record), QString());
        for (const auto& column : inputsTable(*recordOf("mlp")).columns) QVERIFY(column.title != "Subclass"_L1);
    }

    void operationsOutsideCoreAten() {
        CompileRecord record;
        record.graphs[GraphKind::inference] = parseSound(
            "graph g\n%x : f32[4] = placeholder\n%a : f32[4] = aten.silu.default(%x)\n"
            "%b : f32[4] = aten.relu.default(%a)\n%c : f32[4] = prims.div.default(%b, %x)\n"
            "%n : int(4) = operator.add(2, 2)\nreturn [%c]");
        QCOMPARE(activeRules(nullptr, {}, record).summary, u"outside core ATen: 2 operations"_s);
        QCOMPARE(activeRules(nullptr, {}, CompileRecord()).summary, QString());
        const auto mlp = recordOf("mlp");
        const auto table = DecompositionTable::load("core-aten");
        const QString summary = activeRules(table.get(), engineHere()->decompositionRules(), *mlp).summary;
        QVERIFY2(summary.contains(u"; outside core ATen: "_s), qPrintable(summary));
    }

    void mutatedInputs() {
        const auto record = recordOf("resnet18");
        const TableContent table = inputsTable(*record);
        qsizetype mutated = 0;
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            const bool buffer = cell(table, i, "Role") == q(name(Role::buffer));
            QCOMPARE(cell(table, i, "Mutates data") == "yes"_L1, buffer);
            QCOMPARE(cell(table, i, "Mutation"), buffer ? u"by the wrapper, after the graph"_s : u"not mutated"_s);
            mutated += buffer ? 1 : 0;
        }
        QVERIFY(mutated > 0);
        QCOMPARE(table.summary,
                 u"%1 inputs, %2 mutated: data of %2, sizes or strides of 0, storage of 0; 0 in the graph, "
                 "%2 written back after it"_s.arg(table.rows.size())
                     .arg(mutated));
    }

    void outputsStandBehindMutatedInputs() {
        const auto record = recordOf("resnet18");
        const TableContent table = outputsTable(*record);
        QCOMPARE(table.rows.size(), std::size_t{1});
        QCOMPARE(cell(table, 0, "Output type"), u"not aliased"_s);
        QCOMPARE(cell(table, 0, "Requires grad"), u"yes"_s);
        QCOMPARE(cell(table, 0, "Tangent"), u"yes"_s);
        const auto joint = record->graph(GraphKind::joint);
        const std::size_t first = record->metadata->mutatedInputIndices().size();
        QCOMPARE(joint->outputSlots()[first].role, Role::userOutput);
        QCOMPARE(table.rows[0].node, joint->outputs()[first].node()->id());
    }

    void outputOfAnInferenceRun() {
        const TableContent table = outputsTable(*recordOf("sincos", true));
        QCOMPARE(table.rows.size(), std::size_t{1});
        QCOMPARE(table.rows[0].graph, GraphKind::inference);
        QCOMPARE(cell(table, 0, "Tangent"), QString());
        QCOMPARE(table.summary,
                 u"1 output: 1 not aliased, 0 aliased to inputs, 0 to intermediates; "
                 "intermediate bases: 0\ninference graph: gradients are switched off (--inference)"_s);
    }

    void outputsNameTheirBases() {
        CompileRecord record;
        auto metadata = std::make_shared<FunctionMetadata>();
        metadata->inputs.resize(2);
        metadata->inputs[1].name = "y";
        const auto add = [&](OutputType type, std::optional<std::size_t> base) {
            OutputInfo output;
            output.type = type;
            output.base = base;
            metadata->outputs.push_back(output);
        };
        add(OutputType::isInput, 1);
        add(OutputType::aliasOfIntermediateBaseIsUserOutput, 0);
        add(OutputType::aliasOfIntermediate, 0);
        add(OutputType::nonAlias, {});
        record.metadata = metadata;
        const TableContent table = outputsTable(record);
        QCOMPARE(column(table, "Base"),
                 (QStringList{u"input y"_s, u"output 0"_s, u"intermediate base 0"_s, QString()}));
        QCOMPARE(column(table, "Type"), QStringList(4, u"no tensor"_s));
    }

    void inputsShowTheirMutations() {
        const TableContent table = inputsTable(*recordOf("aliasing"));
        QCOMPARE(column(table, "Graph input"),
                 (QStringList{u"own"_s, u"own"_s, u"view of synthetic base 0 (of left, right)"_s,
                              u"view of synthetic base 0 (of left, right)"_s, u"own"_s}));
        QVERIFY(table.summary.endsWith(u"synthetic bases for overlapping inputs: 1; duplicates removed: 0"_s));
        QCOMPARE(table.rows[2].node, table.rows[3].node);
    }

    void duplicatesAreNamed() {
        CompileRecord record;
        auto metadata = std::make_shared<FunctionMetadata>();
        metadata->inputs.resize(2);
        metadata->inputs[0].name = "x";
        metadata->inputs[1].name = "y";
        metadata->convention.inputs = {{{0}, false, false}};
        metadata->convention.arguments.resize(2);
        metadata->convention.duplicateOf = {0, 0};
        record.metadata = metadata;
        const TableContent table = inputsTable(record);
        QCOMPARE(column(table, "Graph input"), (QStringList{u"own"_s, u"duplicate of x"_s}));
        QVERIFY(table.summary.endsWith(u"duplicates removed: 1"_s));
    }

    void everyFlagOfAnInputIsShown() {
        CompileRecord record;
        auto metadata = std::make_shared<FunctionMetadata>();
        InputInfo input;
        input.isLeaf = false;
        input.requiresGrad = input.mutatesData = input.mutatesMetadata = input.mutatesStorageMetadata = true;
        input.growsStorage = input.mutationsHiddenFromAutograd = input.mutationsUnderNoGrad = true;
        input.behindAutograd = true;
        input.mutation = MutationType::inGraph;
        input.after = TensorType{};
        metadata->inputs = {input, InputInfo{}};
        record.metadata = metadata;
        const TableContent table = inputsTable(record);
        for (const char* flag : {"Requires grad", "Mutates data", "Mutates metadata", "Mutates storage",
                                 "Grows storage", "Hidden from autograd", "Under no_grad", "Behind autograd"})
            QCOMPARE(column(table, flag), (QStringList{u"yes"_s, QString()}));
        QCOMPARE(column(table, "Leaf"), (QStringList{QString(), u"yes"_s}));
        QCOMPARE(column(table, "Mutation"), (QStringList{u"in the graph"_s, u"not mutated"_s}));
        QVERIFY(!cell(table, 0, "Type after").isEmpty() && cell(table, 1, "Type after").isEmpty());
        for (const auto& column : table.columns) QVERIFY2(!column.help.isEmpty(), qPrintable(column.title));
    }

    void outputsSayHowTheyAreMadeAgain() {
        const auto record = recordOf("aliasing");
        const TableContent table = outputsTable(*record);
        QCOMPARE(column(table, "Base"), (QStringList{u"input x"_s, u"intermediate base 0 (%relu)"_s,
                                                     u"intermediate base 0 (%relu)"_s, QString()}));
        QCOMPARE(column(table, "Regenerated"), (QStringList{u".view([-1])"_s, u".t()"_s, u".view([-1])"_s, QString()}));
        QCOMPARE(column(table, "Tangent"), QStringList(4, QString()));  // the gradient goes to the base
        QCOMPARE(column(table, "Requires grad"), (QStringList{QString(), u"yes"_s, u"yes"_s, QString()}));
        for (const auto& column : table.columns) QVERIFY2(!column.help.isEmpty(), qPrintable(column.title));
        QVERIFY(!column(table, "Why").contains(QString()));
        QVERIFY(table.summary.startsWith(
            u"4 outputs: 1 not aliased, 1 aliased to inputs, 2 to intermediates; intermediate bases: 1"_s));
    }

    void runtime() {
        CompileRecord record;
        auto metadata = std::make_shared<FunctionMetadata>();
        InputInfo input;
        input.name = "counter";
        input.tensor = TensorType{};
        input.mutatesData = true;
        input.mutation = MutationType::outOfGraph;
        metadata->inputs.push_back(input);
        record.metadata = record.graphMetadata = metadata;
        const auto steps = describeRuntime(*metadata, *metadata);
        const TableContent table = runtimeTable(record);
        const std::size_t layers = runtimeLayers(record).size();
        QCOMPARE(table.rows.size(), layers + steps.size());
        QCOMPARE(cell(table, layers, "#"), u"1"_s);
        QCOMPARE(cell(table, layers + 1, "When"), u"after"_s);
        QCOMPARE(cell(table, layers + 1, "What Happens"), q(steps[1].text));
        QVERIFY(q(steps[1].text).contains(u"counter"_s));
    }

    void runtimeStepsLeadToTheirNodes() {
        for (const char* sample : {"aliasing", "mutations", "resnet18"}) {
            const auto record = recordOf(sample);
            const auto steps = describeRuntime(*record->metadata, *record->graphMetadata);
            const TableContent table = runtimeTable(*record), in = inputsTable(*record), out = outputsTable(*record);
            const std::size_t layers = runtimeLayers(*record).size();
            QCOMPARE(table.rows.size(), layers + steps.size());
            for (std::size_t i = 0; i < steps.size(); ++i) {
                const NodeId expected = steps[i].output  ? out.rows[*steps[i].output].node
                                        : steps[i].input ? in.rows[*steps[i].input].node
                                                         : kNoNode;
                QCOMPARE(table.rows[layers + i].node, expected);
                QCOMPARE(cell(table, layers + i, "What Happens"), q(steps[i].text));
                QCOMPARE(cell(table, layers + i, "Input").isEmpty(), !steps[i].input);
            }
        }
        QCOMPARE(runtimeTable(*recordOf("mlp")).summary,
                 u"No steps around the graph: inputs and outputs are passed through"_s);
    }

    void timing() {
        const auto record = recordOf("sincos");
        TimingResult timing = someTiming(*record);
        const TableContent table = timingTable(&timing, *record);
        QCOMPARE(problemOf(table, *record), QString());
        QCOMPARE(column(table, "Value"), (QStringList{u"%sin"_s, u"%cos"_s, u"%neg"_s}));
        QCOMPARE(column(table, "Median"), (QStringList{u"1.50 ms"_s, u"500 µs"_s, u"2.75 ms"_s}));
        QCOMPARE(column(table, "Quartiles").front(), u"750 µs to 3.00 ms"_s);
        QCOMPARE(column(table, "Share"), (QStringList{u"75.0 %"_s, u"25.0 %"_s, u"50.0 %"_s}));
        QCOMPARE(table.rows[2].graph, GraphKind::backward);
        QCOMPARE(table.summary,
                 u"forward 2.00 ms (eager 4.00 ms), backward 5.50 ms (eager 6.25 ms); "
                 "peak memory 1.00 kB (eager 2.00 kB); median of 3 runs\n"
                 "forward, quartiles of whole calls: 1.50 ms to 2.50 ms (eager 3.00 ms to 5.00 ms)\n"
                 "backward, quartiles of whole calls: 5.25 ms to 6.00 ms (eager 6.12 ms to 7.00 ms)"_s);
        const auto firstLine = [&] { return timingTable(&timing, *record).summary.section(u'\n', 0, 0); };
        timing.iterations = 1;
        QVERIFY(firstLine().endsWith(u"median of 1 run"_s));
        timing.load.waiting = 2;
        QVERIFY(firstLine().endsWith(u"had a core for only 50 % of the time"_s));
        timing.load = {1.25, 2, 2};
        QVERIFY(
            timingTable(&timing, *record)
                .summary.endsWith(u"measured on 2 threads; the measuring thread had a core for 80 % of the time"_s));
        timing.load = {};
        timing.iterations = 3;
        timing.graphs.push_back({GraphKind::forward, {}, {}, 0, {0.97, 0.96, 0.98, 0.96}, {1.02, 1.01, 1.03, 0.96}});
        QCOMPARE(timingTable(&timing, *record).summary,
                 table.summary +
                     u"\nforward graph: its steps add up to 97.0 % (96.0 to 98.0), "
                     "timing them takes 2.0 % (1.0 to 3.0)"_s);
    }

    void emptyTablesSayWhy() {
        const CompileRecord nothing;
        for (const auto& make : {inputsTable, outputsTable, runtimeTable}) {
            const TableContent table = make(nothing);
            QVERIFY(table.rows.empty());
            QVERIFY(!table.whenEmpty.isEmpty());
        }
        QVERIFY(timingTable(nullptr, *recordOf("mlp")).rows.empty());
        QVERIFY(!timingTable(nullptr, *recordOf("mlp")).whenEmpty.isEmpty());
    }

    void collectivesWithWhatIsExposed() {
        CompileRecord record;
        record.graphs[GraphKind::forward] = parseSound(
            "graph g\n%w : f32[4, 8] = placeholder\n"
            "%a : f32[16, 8] = _c10d_functional.all_gather_into_tensor.default(%w, 4, \"0\")\n"
            "%r : f32[4, 8] = _c10d_functional.all_reduce.default(%w, \"sum\", \"tp\")\n"
            "%u : f32[16, 8] = _c10d_functional.wait_tensor.default(%a)\nreturn [%u]");
        const Options options{.world = {16, 3, {"tp=2"}}};
        const CommunicationContent content = communicationContent(record, options, machineOf("cpu"));
        const TableContent& table = content.collectives;
        QCOMPARE(table.rows.size(), std::size_t{2});
        const auto cell = [&](std::size_t row, std::size_t column) { return table.rows[row].cells[column].text; };
        QCOMPARE(cell(0, 1), u"%a"_s);
        QCOMPARE(cell(0, 2), u"all-gather"_s);
        QCOMPARE(cell(0, 10), u"4"_s);
        QCOMPARE(cell(0, 4), u"384 B"_s);
        QCOMPARE(cell(0, 11), u"%u"_s);
        QCOMPARE(cell(1, 2), u"all-reduce (sum)"_s);
        QCOMPARE(cell(1, 10), u"2"_s);
        QCOMPARE(cell(1, 11), u"nothing"_s);
        QCOMPARE(table.rows[1].node, record.graphs[GraphKind::forward]->findByName("r")->id());
        QVERIFY2(table.summary.startsWith(u"Rank 3 of 16, links h100. forward: 512 B sent"_s),
                 qPrintable(table.summary));
        for (const auto& row : table.rows) QCOMPARE(row.cells.size(), table.columns.size());
        QVERIFY(!cell(0, 14).isEmpty());
        QCOMPARE(content.totals.rows.size(), std::size_t{1});  // the top level
        QCOMPARE(content.lanes.rows(), 4);
        QCOMPARE(communicationLanes().size(), qsizetype{6});
        QVERIFY(content.figures.contains(u"512 B sent"_s));
        QVERIFY(communicationContent(*recordOf("mlp"), {}, machineOf("cpu")).collectives.rows.empty());
    }

    void whatBecomesOfShardedParameters() {
        CompileRecord record;
        record.graphs[GraphKind::joint] = parseSound(
            "graph g\n%w : f32[4, 8] = placeholder(parameter) ; label=\"up\"\n"
            "%t : f32[16, 8] = placeholder(tangent)\n"
            "%a : f32[16, 8] = _c10d_functional.all_gather_into_tensor.default(%w, 4, \"0\")\n"
            "%u : f32[16, 8] = _c10d_functional.wait_tensor.default(%a)\n"
            "%s : f32[16, 8] = aten.sin.default(%u)\n"
            "%c : f32[16, 8] = aten.cos.default(%u) ; stage=backward\n"
            "%m : f32[16, 8] = aten.mul.Tensor(%t, %c) ; stage=backward\n"
            "%r : f32[4, 8] = _c10d_functional.reduce_scatter_tensor.default(%m, \"sum\", 4, \"0\") ; stage=backward\n"
            "%v : f32[4, 8] = _c10d_functional.wait_tensor.default(%r) ; stage=backward\n"
            "return [%s : output, %v : gradient]");
        record.partition = std::make_shared<Partition>(partitionJoint(*record.graphs[GraphKind::joint], {}));
        const Options options{.world = {4, 0, {}}};
        const CommunicationContent content = communicationContent(record, options, machineOf("cpu"));
        QCOMPARE(content.totals.rows[0].cells[0].text, u"unshard of up"_s);
        QCOMPARE(content.totals.rows[0].cells[1].text, u"saved for the backward"_s);
        const Communication found = communicationOf(record, options.world, linksNamed("h100"), machineOf("cpu"));
        const NodeId wait = record.graphs[GraphKind::joint]->findByName("u")->id();
        const QString story = communicationStory(found, wait).join(u' ');
        QVERIFY2(story.contains(u"Unshard of up: the shard of 128 B is gathered to 512 B, saved"_s), qPrintable(story));
        QVERIFY2(story.contains(u"exposed"_s), qPrintable(story));
        QVERIFY(communicationStory(found, record.graphs[GraphKind::joint]->findByName("m")->id()).isEmpty());
    }
};

AOTSCOPE_TEST(TestTables)

}  // namespace aotscope::test::tables_test

#include "test_tables.moc"
