// The table of saved and recomputed values: against the partition, its filters, and the user's choices.

#include "io/text_report.h"
#include "models/tables/values_table.h"
#include "panels/tables/table_panel.h"
#include "partition/partition_joint.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/records.h"
#include "views/table_cells.h"

#include <set>

namespace aotscope::test::values_table_test {
namespace {

std::size_t rowOf(const TableContent& table, NodeId node) {
    const auto row = std::ranges::find(table.rows, node, &TableContent::Row::node);
    return static_cast<std::size_t>(row - table.rows.begin());
}

/// The record with another partition of its joint graph.
CompileRecord partitionedAgain(const CompileRecord& record, const PartitionOptions& options) {
    CompileRecord other = record;
    other.partition = std::make_shared<const Partition>(partitionJoint(*record.graph(GraphKind::joint), options));
    return other;
}

QToolButton* button(const TablePanel& panel, const QString& title) {
    for (QToolButton* button : panel.findChildren<QToolButton*>())
        if (button->text().startsWith(title + u" ("_s)) return button;
    return nullptr;
}

}  // namespace

class TestValuesTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isWellFormed_data() {
        QTest::addColumn<bool>("inference");
        for (const char* sample : {"sincos", "mlp", "aliasing", "mutations", "resnet18", "gpt2-tiny", "bert-tiny"}) {
            QTest::newRow(sample) << false;
            QTest::addRow("%s inference", sample) << true;
        }
    }
    void isWellFormed() {
        QFETCH(bool, inference);
        const auto record =
            recordOf(QString::fromUtf8(QTest::currentDataTag()).section(u' ', 0, 0).toStdString(), inference);
        const TableContent table = valuesTable(*record, {});
        QCOMPARE(problemOf(table, *record), QString());
        for (const auto& column : table.columns) QVERIFY2(!column.help.isEmpty(), qPrintable(column.title));
        QCOMPARE(table.rows.size(),
                 inference ? 0 : record->partition->saved.size() + record->partition->recomputed.size());
    }

    void savedValues() {
        const auto record = recordOf("mlp");
        const TableContent table = valuesTable(*record, {});
        const Partition& partition = *record->partition;
        QCOMPARE(column(table, "Fate").first(3), (QStringList(2, u"saved"_s) << u"already kept: input"_s));
        QVERIFY(cell(table, 2, "Value").startsWith(u"x (%"_s));
        for (const auto& value : partition.saved) {
            const std::size_t row = rowOf(table, value.node);
            QVERIFY(row < table.rows.size());
            QCOMPARE(cell(table, row, "Operation"), q(value.op));
            QCOMPARE(cell(table, row, "Bytes"), q(formatBytes(value.type.bytes())));
            QCOMPARE(table.rows[row].cells[2].sortKey.toLongLong(), value.type.bytes());
            QVERIFY(cell(table, row, "Why").startsWith(q(value.reason)));
            QCOMPARE(table.rows[row].graph, GraphKind::joint);
            QCOMPARE(cell(table, row, "Donated") == "yes"_L1, value.donated);
        }
        QVERIFY(column(table, "Donated").contains(u"yes"_s));
        QCOMPARE(table.summary,
                 u"min-cut partition of 32 operations: 2 values saved, 65.5 kB; 0 operations recomputed; "
                 "already kept: 1 input (8.19 kB), 2 views"_s);
    }

    /// Storages are those of the sum: each once, and none of an input.
    void wholeStoragesAddUpToTheSum_data() {
        QTest::addColumn<QString>("unused");
        for (const char* sample : {"mlp", "aliasing", "resnet18", "gpt2-tiny", "bert-tiny"}) QTest::newRow(sample);
    }
    void wholeStoragesAddUpToTheSum() {
        const auto record = recordOf(QTest::currentDataTag());
        const TableContent table = valuesTable(*record, {});
        std::set<std::int64_t> inputs, storages;
        for (const Node* node : record->partition->forward->placeholders())
            if (const auto* type = node->type.tensor()) inputs.insert(type->storage);
        qint64 sum = 0;
        for (const SavedValue& value : record->partition->saved) {
            const std::size_t row = rowOf(table, value.node);
            const bool saved = !inputs.contains(value.type.storage) && storages.insert(value.type.storage).second;
            QCOMPARE(cell(table, row, "Fate") == "saved"_L1, saved);
            QCOMPARE(table.rows[row].cells[3].sortKey.toLongLong(), saved ? value.type.storageBytes : 0);
            if (saved) sum += value.type.storageBytes;
        }
        QCOMPARE(sum, record->partition->savedUniqueBytes());
    }

    /// Half of a result is saved, and all of it stays in memory.
    void aSavedViewKeepsItsWholeStorage() {
        auto record = *recordOf("mlp");
        auto partition = *record.partition;
        SavedValue* value = nullptr;
        for (SavedValue& saved : partition.saved)
            if (saved.donated) value = &saved;
        QVERIFY(value);
        value->type.storageBytes = 2 * value->type.bytes();
        SavedValue other = *value;
        partition.saved.push_back(other);
        record.partition = std::make_shared<const Partition>(partition);
        const TableContent table = valuesTable(record, {});
        const std::size_t row = rowOf(table, other.node);
        QCOMPARE(cell(table, row, "Bytes"), q(formatBytes(other.type.bytes())));
        QCOMPARE(cell(table, row, "Storage"), q(formatBytes(2 * other.type.bytes())));
        QVERIFY(cell(table, table.rows.size() - 1, "Fate").startsWith(u"already kept: in the memory of "_s));
    }

    /// A saved view of a parameter costs nothing, and the table names the parameter.
    void savedViewsNameTheirParameter() {
        const TableContent table = valuesTable(*recordOf("mlp"), {});
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const bool view = cell(table, row, "Operation") == "aten.t.default"_L1;
            QCOMPARE(cell(table, row, "Fate").contains(u"in the memory of"_s), view);
        }
        QVERIFY(column(table, "Fate").contains(u"already kept: in the memory of layers.1.weight"_s));
    }

    void parametersAreAlreadyKept() {
        const auto record = recordOf("resnet18");
        const TableContent table = valuesTable(*record, {});
        int parameters = 0;
        for (const Node* node : record->partition->forward->placeholders()) {
            const std::size_t row = rowOf(table, node->id());
            if (row == table.rows.size() || node->role != Role::parameter) continue;
            ++parameters;
            QCOMPARE(cell(table, row, "Fate"), u"already kept: parameter"_s);
            QCOMPARE(cell(table, row, "Value"), q(node->label + " (%" + node->name() + ")"));
        }
        QVERIFY(parameters > 0);
    }

    void recomputedOps() {
        const auto record = recordOf("sincos");
        const TableContent table = valuesTable(*record, {});
        const RecomputedValue& value = record->partition->recomputed.at(0);
        const std::size_t row = rowOf(table, value.node);
        QCOMPARE(cell(table, row, "Value"), u"%sin"_s);
        QCOMPARE(cell(table, row, "Fate"), u"recomputed"_s);
        QCOMPARE(cell(table, row, "Operation"), u"aten.sin.default"_s);
        QCOMPARE(cell(table, row, "Bytes"), u"80 B"_s);
        QCOMPARE(cell(table, row, "Why"), u"cheaper to recompute than to save"_s);
        QVERIFY(table.summary.contains(u"1 operation recomputed, 80 B"_s));
    }

    void overrides() {
        const auto record = recordOf("mlp");
        const auto joint = record->graph(GraphKind::joint);
        const NodeId relu = joint->findByName("relu")->id();
        PartitionOptions options;
        options.cut.mustRecompute.insert(relu);
        options.save = {"%relu_1"};
        const CompileRecord changed = partitionedAgain(*record, options);
        const TableContent table = valuesTable(changed, options);
        QCOMPARE(cell(table, rowOf(table, relu), "Override"), u"recompute"_s);
        QCOMPARE(cell(table, rowOf(table, relu), "Fate"), u"recomputed"_s);
        QCOMPARE(cell(table, rowOf(table, joint->findByName("relu_1")->id()), "Override"), u"save"_s);
        QCOMPARE(column(table, "Override").count(QString()), static_cast<qsizetype>(table.rows.size()) - 2);
        QCOMPARE(column(valuesTable(changed, {}), "Override").count(QString()),
                 static_cast<qsizetype>(table.rows.size()));
    }

    /// The user's request is listed, even if backward has no use for the value.
    void overridesWithoutEffect() {
        const auto record = recordOf("mlp");
        const Node* unused = nullptr;
        const TableContent before = valuesTable(*record, {});
        for (const Node* node : record->graph(GraphKind::joint)->nodes())
            if (node->kind() == NodeKind::call && node->stage == Stage::forward &&
                rowOf(before, node->id()) == before.rows.size())
                unused = node;
        QVERIFY(unused);
        PartitionOptions options;
        options.cut.mustRecompute.insert(unused->id());
        const TableContent table = valuesTable(*record, options);
        QCOMPARE(table.rows.size(), before.rows.size() + 1);
        QCOMPARE(cell(table, rowOf(table, unused->id()), "Fate"), u"forward only"_s);
        QCOMPARE(problemOf(table, *record), QString());
    }

    void buttonsShowSomeOfTheRows() {
        const auto record = recordOf("sincos");
        TablePanel panel;
        panel.setContent(valuesTable(*record, {}));
        const auto rows = [&] { return panel.view()->model()->rowCount(); };
        const int all = rows();
        for (const char* title : {"All", "Saved", "Recomputed", "Already Kept", "Overridden"})
            QVERIFY2(button(panel, QString::fromUtf8(title)), title);
        QVERIFY(button(panel, u"All"_s)->isChecked());
        button(panel, u"Recomputed"_s)->click();
        QCOMPARE(rows(), 1);
        QVERIFY(!button(panel, u"All"_s)->isChecked());
        panel.filter()->setText(u"no such text"_s);
        QCOMPARE(rows(), 0);
        panel.filter()->clear();
        const int width = panel.view()->columnWidth(0) + 17;
        panel.view()->setColumnWidth(0, width);
        PartitionOptions options;
        options.cut.mustRecompute.insert(record->partition->recomputed.at(0).node);
        panel.updateContent(valuesTable(*record, options));
        QCOMPARE(rows(), 1);  // the filter stays, and so do the widths
        QCOMPARE(panel.view()->columnWidth(0), width);
        button(panel, u"Overridden"_s)->click();
        QCOMPARE(rows(), 1);
        QCOMPARE(button(panel, u"Overridden"_s)->text(), u"Overridden (1)"_s);
        button(panel, u"All"_s)->click();
        QCOMPARE(rows(), all);
    }

    /// Another table has no buttons, and all of its rows.
    void aTableWithoutFiltersHasNoButtons() {
        const auto record = recordOf("sincos");
        TablePanel panel;
        panel.setContent(valuesTable(*record, {}));
        button(panel, u"Recomputed"_s)->click();
        panel.setContent(inputsTable(*record));
        QCOMPARE(panel.view()->model()->rowCount(), static_cast<int>(record->metadata->inputs.size()));
        QVERIFY(!button(panel, u"All"_s));
    }

    void nothingSaysWhy() {
        QVERIFY(!valuesTable({}, {}).whenEmpty.isEmpty());
        QCOMPARE(valuesTable(*recordOf("mlp", true), {}).whenEmpty, u"An inference graph saves nothing."_s);
    }
};

AOTSCOPE_TEST(TestValuesTable)

}  // namespace aotscope::test::values_table_test

#include "test_values_table.moc"
