// The item models: they keep Qt's contract while their content changes, sort by value, and convert to text.

#include "models/difference_text_model.h"
#include "models/pass_list_model.h"
#include "models/tables/table_model.h"
#include "models/tables/table_text.h"
#include "models/tables/values_table.h"
#include "record/pass_graphs.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/records.h"

namespace aotscope::test::models_test {
namespace {

using Tester = QAbstractItemModelTester;
constexpr auto kQtTest = Tester::FailureReportingMode::QtTest;

/// Values whose sizes sort differently as text; two rows stand for node 7.
TableContent fruit() {
    TableContent t;
    t.columns = {{u"Name"_s, u"what it is"_s, false}, {u"Bytes"_s, {}, true}, {u"Note"_s, {}, false}};
    const auto row = [&](const char* name, const char* bytes, qint64 value, NodeId node) {
        t.rows.push_back({{{QString::fromUtf8(name), {}}, {QString::fromUtf8(bytes), value}, {QString(), {}}}, node});
    };
    row("pear", "9 B", 9, 7);
    row("fig", "1.20 kB", 1200, 3);
    row("apple", "100 B", 100, 7);
    row("plum", "2.00 MB", 2000000, kNoNode);
    return t;
}

QStringList column(const QAbstractItemModel& model, int column) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row) texts << model.index(row, column).data().toString();
    return texts;
}

QStringList words(const char* text) { return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts); }

Qt::Alignment alignment(const QVariant& value) { return value.value<Qt::Alignment>(); }

}  // namespace

class TestModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- tables ---

    void tableKeepsTheContract() {
        TableModel model;
        const Tester tester(&model, kQtTest);
        QCOMPARE(model.rowCount(), 0);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        const auto record = recordOf("mlp");
        for (TableContent content :
             {fruit(), inputsTable(*record), TableContent(), valuesTable(*record, {}), fruit()}) {
            const auto rows = content.rows.size(), columns = content.columns.size();
            model.setContent(std::move(content));
            QCOMPARE(static_cast<std::size_t>(model.rowCount()), rows);
            QCOMPARE(static_cast<std::size_t>(model.columnCount()), columns);
        }
        QCOMPARE(resets.count(), 5);
    }

    void tableIsFlat() {
        TableModel model;
        model.setContent(fruit());
        const QModelIndex first = model.index(0, 0);
        QCOMPARE(model.rowCount(first), 0);
        QCOMPARE(model.columnCount(first), 0);
        QVERIFY(!model.index(4, 0).isValid());
        QVERIFY(!model.index(0, 3).isValid());
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(u"is not valid"_s));
        QVERIFY(!model.data({}, Qt::DisplayRole).isValid());
    }

    void tableGivesTextNumbersAndNodes() {
        TableModel model;
        model.setContent(fruit());
        QCOMPARE(column(model, 0), words("pear fig apple plum"));
        QCOMPARE(model.index(1, 1).data(), QVariant(u"1.20 kB"_s));
        QCOMPARE(model.index(1, 1).data(TableModel::SortRole).toLongLong(), 1200);
        QCOMPARE(model.index(1, 0).data(TableModel::SortRole), QVariant(u"fig"_s));
        QCOMPARE(model.index(0, 2).data(TableModel::NodeRole).toInt(), 7);
        QCOMPARE(model.index(3, 0).data(TableModel::NodeRole).toInt(), kNoNode);
        QCOMPARE(model.index(0, 0).data(Qt::ToolTipRole), QVariant(u"pear"_s));
        QVERIFY(!model.index(0, 0).data(Qt::DecorationRole).isValid());
    }

    void tableHeadings() {
        TableModel model;
        model.setContent(fruit());
        const auto heading = [&](int section, int role) { return model.headerData(section, Qt::Horizontal, role); };
        QCOMPARE(heading(0, Qt::DisplayRole), QVariant(u"Name"_s));
        QCOMPARE(heading(0, Qt::ToolTipRole), QVariant(u"What it is"_s));
        QVERIFY(alignment(heading(0, Qt::TextAlignmentRole)) & Qt::AlignLeft);
        QVERIFY(alignment(heading(1, Qt::TextAlignmentRole)) & Qt::AlignRight);
        QVERIFY(alignment(model.index(0, 1).data(Qt::TextAlignmentRole)) & Qt::AlignRight);
        for (const int outside : {-1, 3}) model.headerData(outside, Qt::Horizontal, Qt::DisplayRole);
    }

    void tableSortsByValue() {
        TableModel model;
        model.setContent(fruit());
        QSortFilterProxyModel sorted;
        const Tester tester(&sorted, kQtTest);
        sorted.setSourceModel(&model);
        sorted.setSortRole(TableModel::SortRole);
        sorted.sort(1);
        QCOMPARE(column(sorted, 0), words("pear apple fig plum"));
        sorted.sort(1, Qt::DescendingOrder);
        QCOMPARE(column(sorted, 0), words("plum fig apple pear"));
        sorted.sort(0);
        QCOMPARE(column(sorted, 0), words("apple fig pear plum"));
        sorted.sort(-1);
        QCOMPARE(column(sorted, 0), words("pear fig apple plum"));
    }

    void tableStaysSortedWhenItsContentChanges() {
        TableModel model;
        QSortFilterProxyModel sorted;
        const Tester tester(&sorted, kQtTest);
        sorted.setSourceModel(&model);
        sorted.setSortRole(TableModel::SortRole);
        sorted.setFilterKeyColumn(-1);
        sorted.sort(1);
        model.setContent(fruit());
        QCOMPARE(column(sorted, 0), words("pear apple fig plum"));
        sorted.setFilterFixedString(u"p"_s);
        QCOMPARE(column(sorted, 0), words("pear apple plum"));
        model.setContent({});
        QCOMPARE(sorted.rowCount(), 0);
    }

    void tableFindsTheRowsOfANode() {
        TableModel model;
        model.setContent(fruit());
        QCOMPARE(model.rowsOf(7), (std::vector<int>{0, 2}));
        QCOMPARE(model.rowsOf(3), std::vector<int>{1});
        QVERIFY(model.rowsOf(99).empty());
        QVERIFY(model.rowsOf(kNoNode).empty());  // a row without a node has no counterpart
    }

    void tableAsText() {
        TableModel model;
        model.setContent(fruit());
        const QString heading = u"Name\tBytes\tNote\n"_s;
        QCOMPARE(tableText(model, {2, 0}, TableFormat::text), heading + u"apple\t100 B\t\npear\t9 B\t\n"_s);
        const QString all = tableText(model, {}, TableFormat::text);
        QVERIFY(all.startsWith(heading));
        QCOMPARE(all.count(u'\n'), 5);
        model.setContent({});
        QCOMPARE(tableText(model, {}, TableFormat::text), u"\n"_s);
    }

    // --- differences ---

    void wordsThatDiffer_data() {
        QTest::addColumn<QString>("before");  // with the differing parts in < >
        QTest::addColumn<QString>("after");
        const auto row = [](const char* before, const char* after) {
            QTest::addRow("%s | %s", before, after) << QString::fromUtf8(before) << QString::fromUtf8(after);
        };
        row("%a = aten.add(%b, 1)", "%a = aten.add(%b, 1)");
        row("%a = aten.<add_>(%b, 1)", "%a = aten.<add>(%b, 1)");
        row("%a = aten.add(%b, 1<, 2>)", "%a = aten.add(%b, 1)");
        row("<%a> : <?> = sin", "<%b> : <f32[4]> = sin");
        row("", "<all new>");
        row("x y z", "x <new> y z");
    }
    void wordsThatDiffer() {
        FETCH(QString, before, after);
        const auto plain = [](QString line) { return line.remove(u'<').remove(u'>'); };
        const auto marked = [](QString line, const std::vector<TextPart>& parts) {
            for (auto part = parts.rbegin(); part != parts.rend(); ++part)
                line.insert(part->start + part->length, u'>').insert(part->start, u'<');
            return line;
        };
        const DifferingWords words = differingWords(plain(before), plain(after));
        QCOMPARE(marked(plain(before), words.before), before);
        QCOMPARE(marked(plain(after), words.after), after);
    }

    void veryLongLinesDifferInTheMiddle() {
        const QString same = u"same "_s, end = u" end"_s;
        const QString a = same + u"a b "_s.repeated(3000) + end, b = same + u"c d "_s.repeated(3000) + end;
        const DifferingWords words = differingWords(a, b);
        QCOMPARE(words.before.size(), std::size_t{1});
        QCOMPARE(words.before[0].start, same.size());
        QCOMPARE(words.after[0].start, same.size());
    }

    /// Counterparts share a row, and every node of either graph has its line.
    void bothSidesOfADifferenceAreLevel() {
        const auto record = recordOf("mlp");
        const auto graphs = graphsOf(*record);
        const auto difference = std::make_shared<const GraphDifference>(
            compareGraphs(*record, graphs[0].graph, graphs[0].kind, graphs[1].graph, graphs[1].kind));
        DifferenceTextModel before(DifferenceTextModel::Side::before), after(DifferenceTextModel::Side::after);
        const Tester tester(&before, kQtTest);
        const auto lines = DifferenceLines::of(difference);
        before.setDifference(lines);
        after.setDifference(lines);
        QCOMPARE(before.rowCount(), after.rowCount());
        std::size_t left = 0, right = 0;
        bool replaced = false;
        for (int row = 0; row < before.rowCount(); ++row) {
            const QString was = before.index(row, 0).data().toString(), is = after.index(row, 0).data().toString();
            left += !was.isEmpty();
            right += !is.isEmpty();
            const auto parts =
                before.index(row, 0).data(DifferenceTextModel::DifferingParts).value<std::vector<TextPart>>();
            const bool changed = before.row(row).kind != DifferenceKind::same && !was.isEmpty() && !is.isEmpty();
            QVERIFY(changed || parts.empty());
            QVERIFY(was.size() <= before.longestLine().size() && is.size() <= before.longestLine().size());
            if (!was.contains(u"aten.linear"_s) || replaced) continue;
            replaced = true;
            QVERIFY(is.contains(u"aten.addmm"_s));
            QCOMPARE(after.whatChanged(row), u"replaced: linear -> addmm, t"_s);
        }
        QVERIFY(replaced);
        QCOMPARE(left, difference->before->size());
        QCOMPARE(right, difference->after->size());
        QCOMPARE(before.headerData(0, Qt::Vertical, Qt::DisplayRole).toString(), u"1"_s);
    }

    // --- passes ---

    void passListKeepsTheContract() {
        PassListModel model;
        const Tester tester(&model, kQtTest);
        QCOMPARE(model.rowCount(), 0);
        for (const auto& record : {recordOf("mlp"), recordOf("sincos", true), std::make_shared<const CompileRecord>(),
                                   std::shared_ptr<const CompileRecord>(), recordOf("sincos")}) {
            model.setRecord(record);
            QCOMPARE(static_cast<std::size_t>(model.rowCount()), record ? record->passes.size() : 0);
        }
        QCOMPARE(model.rowCount(model.index(0, 0)), 0);
    }

    void passListShowsEveryPass() {
        const auto record = recordOf("mlp");
        PassListModel model;
        model.setRecord(record);
        QCOMPARE(model.columnCount(), 3);
        for (int row = 0; row < model.rowCount(); ++row) {
            const PassRecord& pass = record->passes[static_cast<std::size_t>(row)];
            QCOMPARE(model.pass(row), &pass);
            const QString name = model.index(row, 0).data().toString();
            QVERIFY(name.endsWith(q(aotscope::name(pass.id))));
            QCOMPARE(name.startsWith(u"●"_s), pass.changed);
            QVERIFY(model.index(row, 1).data().toString().endsWith(QString::number(pass.nodesAfter)));
            QVERIFY(model.index(row, 0).data(Qt::ToolTipRole).toString().startsWith(q(pass.help)));
            const bool dimmed = model.index(row, 0).data(Qt::ForegroundRole).isValid();
            QCOMPARE(dimmed, !pass.changed && row > 0);
        }
        QVERIFY(!model.pass(-1));
        QVERIFY(!model.pass(model.rowCount()));
    }

    void aPassThatFailedIsRedAndLast() {
        auto record = std::make_shared<CompileRecord>(*recordOf("mlp"));
        const int passes = static_cast<int>(record->passes.size());
        PassListModel model;
        for (const auto& [error, rows] : {std::pair{PassFailure{"joint", "no kernel for aten.foo"}.text(), passes + 1},
                                          std::pair{std::string("the printed joint graph cannot be split"), passes},
                                          std::pair{std::string(), passes}}) {
            record = std::make_shared<CompileRecord>(*record);
            record->error = error;
            const Tester tester(&model, kQtTest);
            model.setRecord(record);
            QCOMPARE(model.rowCount(), rows);
            if (rows == passes) continue;
            const QModelIndex failed = model.index(passes, 0);
            QVERIFY(!model.pass(passes) && !model.isIdle(passes));
            QCOMPARE(failed.data().toString(), u"✕ joint"_s);
            QCOMPARE(failed.data(Qt::ToolTipRole).toString(), q(error));
            const QColor red = failed.data(Qt::ForegroundRole).value<QBrush>().color();
            QVERIFY(red.red() > red.green() + 80 && red.red() > red.blue() + 80);
            QVERIFY(!failed.flags().testFlag(Qt::ItemIsSelectable));
        }
    }

    void passListShowsHowTheNumberOfOperationsChanges() {
        auto record = std::make_shared<CompileRecord>();
        for (const auto& [before, after] : {std::pair{5, 5}, std::pair{5, 8}, std::pair{8, 2}}) {
            PassRecord pass;
            pass.nodesBefore = static_cast<std::size_t>(before);
            pass.nodesAfter = static_cast<std::size_t>(after);
            record->passes.push_back(pass);
        }
        PassListModel model;
        model.setRecord(record);
        QCOMPARE(column(model, 1), (QStringList{u"5"_s, u"5 → 8"_s, u"8 → 2"_s}));
    }
};

AOTSCOPE_TEST(TestModels)

}  // namespace aotscope::test::models_test

#include "test_models.moc"
