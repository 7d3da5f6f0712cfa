// The results of the forward, and the layers of a call: against graphs and metadata.

#include "ir/parser.h"
#include "models/tables/contract_tables.h"
#include "models/tables/table_content.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/records.h"
#include "views/table_cells.h"

namespace aotscope::test::contract_tables_test {
namespace {

QString layer(const CompileRecord& record, const char* name) {
    for (const RuntimeLayer& layer : runtimeLayers(record))
        if (layer.name.startsWith(QString::fromUtf8(name))) return layer.text;
    return u"no such layer"_s;
}

}  // namespace

class TestContractTables : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyReturnedValueHasARow_data() {
        QTest::addColumn<bool>("inference");
        for (const char* sample : {"sincos", "mlp", "aliasing", "mutations", "resnet18", "gpt2-tiny"}) {
            QTest::newRow(sample) << false;
            QTest::addRow("%s inference", sample) << true;
        }
    }
    void everyReturnedValueHasARow() {
        QFETCH(bool, inference);
        const QString sample = QString::fromUtf8(QTest::currentDataTag()).section(u' ', 0, 0);
        const auto record = recordOf(sample.toStdString(), inference);
        const auto graph = record->graph(inference ? GraphKind::inference : GraphKind::forward);
        const TableContent table = returnsTable(*record);
        QCOMPARE(problemOf(table, *record), QString());
        QCOMPARE(table.rows.size(), graph->outputSlots().size());
        for (const auto& column : table.columns) QVERIFY2(!column.help.isEmpty(), qPrintable(column.title));
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            QCOMPARE(cell(table, i, "#"), QString::number(i));
            QCOMPARE(cell(table, i, "Returned As"), q(graph->outputSlots()[i].label));
            QVERIFY(cell(table, i, "Value").contains(u'%' + q(graph->outputs()[i].node()->name())));
        }
    }

    void assumptionsAreAmongTheGuards() {
        const QStringList guards = column(guardsTable(*recordOf("aliasing"), nullptr), "Valid while");
        for (const char* text :
             {"x is f32[6, 4] on cpu", "left requires no gradient", "left and right share memory as in the example",
              "no other inputs share memory", "gradients are enabled", "autocast is off"})
            QVERIFY2(guards.contains(QString::fromUtf8(text)), text);
        QVERIFY(!guards.contains(u"steps requires no gradient"_s));  // integers never do
        QVERIFY(column(guardsTable(*recordOf("mlp", true), nullptr), "Valid while").filter(u"memory"_s).isEmpty());
    }

    /// The places of the five groups, from the metadata.
    void groupsHaveCountsAndPositions() {
        for (const char* sample : {"aliasing", "mutations", "resnet18"}) {
            const auto record = recordOf(sample);
            const FunctionMetadata& meta = *record->graphMetadata;
            const QStringList groups = column(returnsTable(*record), "Group");
            QCOMPARE(groups.count(u"Mutated Inputs"_s), static_cast<int>(meta.mutatedInputIndices().size()));
            QCOMPARE(groups.count(u"Outputs"_s), static_cast<int>(meta.outputs.size()));
            QCOMPARE(groups.count(u"Intermediate Bases"_s), static_cast<int>(meta.intermediateBases));
            QCOMPARE(groups.count(u"Tensors for Backward"_s) + groups.count(u"Symints for Backward"_s),
                     static_cast<int>(record->partition->saved.size()));
        }
        const QString summary = returnsTable(*recordOf("aliasing")).summary;
        QCOMPARE(summary,
                 u"Mutated inputs: 2 (0 to 1); outputs: 4 (2 to 5); intermediate bases: 1 (at 6); "
                 "tensors for backward: 2 (7 to 8); symints for backward: 0"_s);
    }

    void regeneratedOutputsSaySo() {
        const auto record = recordOf("aliasing");
        const QStringList uses = column(returnsTable(*record), "What Becomes of It").mid(2, 4);
        for (qsizetype i = 0; i < uses.size(); ++i)
            QCOMPARE(uses[i].contains(u"regenerates"_s),
                     record->metadata->outputs[static_cast<std::size_t>(i)].isAlias());
        QVERIFY(uses.back().endsWith(u"returns it"_s));
    }

    void savedNumbersAreAGroup() {
        CompileRecord record;
        auto partition = std::make_shared<Partition>();
        partition->forward = parseSound(
            "graph forward\n%x : f32[2] = placeholder(input) ; id=0\n%s : int(3) = placeholder(input) ; id=1\n"
            "return [%x : output, %x : saved, %s : saved_symint]");
        record.partition = partition;
        const TableContent table = returnsTable(record);
        QCOMPARE(column(table, "Group"),
                 (QStringList{u"Outputs"_s, u"Tensors for Backward"_s, u"Symints for Backward"_s}));
        QVERIFY(table.summary.endsWith(u"tensors for backward: 1 (at 1); symints for backward: 1 (at 2)"_s));
        QCOMPARE(table.filters.size(), std::size_t{5});
        for (std::size_t i = 0; i < table.rows.size(); ++i) QCOMPARE(table.rows[i].filters, i == 0 ? 2U : 4U << i);
    }

    void layersComeFromOutsideInwards() {
        QStringList names;
        for (const RuntimeLayer& layer : runtimeLayers(*recordOf("mlp"))) names << layer.name;
        QCOMPARE(names, (QStringList{u"AOTDedupeWrapper"_s, u"AOTSyntheticBaseWrapper"_s, u"RuntimeWrapper"_s,
                                     u"CompiledFunction (autograd node)"_s, u"Forward graph"_s}));
        names.clear();
        for (const RuntimeLayer& layer : runtimeLayers(*recordOf("mlp", true))) names << layer.name;
        QVERIFY(names.endsWith(u"Inference graph"_s));
        QVERIFY(!names.contains(u"CompiledFunction (autograd node)"_s));
        QVERIFY(runtimeLayers({}).empty());
    }

    void layersSayWhatTheyAddAndRemove() {
        const auto plain = recordOf("mlp"), aliasing = recordOf("aliasing");
        QCOMPARE(layer(*plain, "AOTDedupeWrapper"),
                 u"passes all 7 arguments on: none of them is a duplicate of another"_s);
        QVERIFY(layer(*plain, "AOTSyntheticBaseWrapper").startsWith(u"passes all 7 arguments on"_s));
        QCOMPARE(layer(*aliasing, "AOTSyntheticBaseWrapper"),
                 u"removes 2 arguments that overlap in memory and adds 1 synthetic base in their place"_s);
        QCOMPARE(layer(*aliasing, "RuntimeWrapper"),
                 u"writes 2 updated inputs back, regenerates 3 aliased outputs, and removes updated inputs and "
                 "1 intermediate base from what it returns: 4 outputs"_s);
        QCOMPARE(layer(*plain, "CompiledFunction"),
                 u"keeps 5 tensors and 0 symints for the backward, returns the other 1 value of what the graph "
                 "returns; of 1 tangent it passes 1 on to the backward"_s);
        QCOMPARE(layer(*plain, "Forward graph"), u"takes 7 inputs, returns 6 values"_s);
    }

    void nothingSaysWhy() {
        QVERIFY(!returnsTable({}).whenEmpty.isEmpty());
        QVERIFY(returnsTable({}).rows.empty());
    }
};

AOTSCOPE_TEST(TestContractTables)

}  // namespace aotscope::test::contract_tables_test

#include "test_contract_tables.moc"
