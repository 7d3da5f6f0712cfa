// What a table offers beside its rows: sums, columns to choose, widths, copying.

#include "models/tables/table_sums.h"
#include "models/tables/values_table.h"
#include "panels/tables/table_panel.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/records.h"
#include "views/table_cells.h"

#include <QClipboard>
#include <QHeaderView>

namespace aotscope::test::table_panel_test {
namespace {

TableContent tensors() {
    TableContent t;
    t.columns = {{u"Value"_s, {}, false},
                 {u"Bytes"_s, {}, true, TableUnit::bytes},
                 {u"Fate"_s, {}, false},
                 {u"Flow"_s, {}, true},
                 {u"Time"_s, {}, true, TableUnit::microseconds}};
    const auto row = [&](const char* name, qint64 bytes, const char* fate, double us) {
        t.rows.push_back({{{q(name)}, {QString::number(bytes), bytes}, {q(fate)}, {u"7"_s, 7}, {u"-"_s, us}}});
    };
    row("beta", 3'000'000, "saved", 20);
    row("alpha", 1'200'000, "saved", 30);
    row("gamma", 40, "recomputed", -1);
    return t;
}

struct Shown {
    Shown() {
        panel.resize(900, 300);
        panel.setContent(tensors());
        panel.show();
    }
    QString sums() const {
        const auto* label = panel.findChild<QLabel*>(u"sums"_s);
        return label->isVisible() ? label->text() : QString();
    }
    void selectRows(const std::vector<int>& rows) const {
        panel.view()->clearSelection();
        for (const int row : rows)
            panel.view()->selectionModel()->select(panel.view()->model()->index(row, 0),
                                                   QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    int width(int column) const { return panel.view()->columnWidth(column); }
    void toggleColumn(const QString& title) const {
        QMenu* menu = panel.columnMenu();
        Q_EMIT menu->aboutToShow();
        for (QAction* action : menu->actions())
            if (action->text() == title) return action->trigger();
        QFAIL(qPrintable(u"no column "_s + title));
    }

    TablePanel panel;
};

}  // namespace

class TestTablePanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sumsOfWhatIsFilteredAndSelected() {
        const Shown t;
        QCOMPARE(t.sums(), QString());
        t.selectRows({0});
        QCOMPARE(t.sums(), QString());
        t.selectRows({0, 1});
        QCOMPARE(t.sums(), u"2 selected: bytes 4.20 MB, time 50.0 µs"_s);
        t.panel.filter()->setText(u"saved"_s);
        QCOMPARE(t.sums(), u"2 of 3 rows: bytes 4.20 MB, time 50.0 µs; 2 selected: bytes 4.20 MB, time 50.0 µs"_s);
        t.panel.filter()->setText(u"gamma"_s);
        QCOMPARE(t.sums(), u"1 of 3 rows: bytes 40 B"_s);
        t.panel.filter()->setText(u"nothing like this"_s);
        QCOMPARE(t.sums(), u"0 of 3 rows"_s);
        t.panel.filter()->clear();
        QCOMPARE(t.sums(), QString());
    }

    /// The sums of the filters of Values agree with the figures above the table.
    void sumsAgreeWithTheSummary() {
        const auto record = recordOf("resnet18");
        const TableContent content = valuesTable(*record, {});
        TableRows rows;
        for (std::size_t i = 0; i < content.rows.size(); ++i)
            if (content.rows[i].filters & 1U) rows.shown.push_back(static_cast<int>(i));
        const QString text = sumsText(content, rows);
        const qsizetype at = text.indexOf(u"storage "_s);
        QVERIFY2(at > 0, qPrintable(text));
        QVERIFY2(content.summary.contains(text.mid(at + 8)), qPrintable(text + u'\n' + content.summary));
    }

    void columnsAreChosen() {
        Shown t;
        QSignalSpy chosen(&t.panel, &TablePanel::columnsChosen);
        t.toggleColumn(u"Fate"_s);
        QVERIFY(t.panel.view()->isColumnHidden(2));
        QCOMPARE(chosen.takeLast().front().toStringList(), QStringList{u"Fate"_s});
        QCOMPARE(t.panel.copied(TableFormat::csv).text.section(u'\r', 0, 0), u"Value,Bytes,Flow,Time"_s);
        t.panel.setContent(tensors());
        QVERIFY(t.panel.view()->isColumnHidden(2));
        t.toggleColumn(u"Fate"_s);
        QVERIFY(!t.panel.view()->isColumnHidden(2));
        QVERIFY(chosen.takeLast().front().toStringList().isEmpty());
        for (const char* title : {"Value", "Bytes", "Flow", "Time"}) t.toggleColumn(q(title));
        t.toggleColumn(u"Fate"_s);  // the last one stays
        QVERIFY(!t.panel.view()->isColumnHidden(2));
        t.toggleColumn(u"Show All"_s);
        for (int c = 0; c < 5; ++c) QVERIFY(!t.panel.view()->isColumnHidden(c));
        QVERIFY(t.panel.hiddenColumns().isEmpty());
    }

    /// Hidden titles of all columns, as of another table, hide nothing.
    void aTableIsNeverWithoutColumns() {
        Shown t;
        t.panel.setHiddenColumns({u"Value"_s, u"Bytes"_s, u"Fate"_s, u"Flow"_s, u"Time"_s});
        QVERIFY(!t.panel.view()->isColumnHidden(0));
    }

    /// What gets wider with a what-if is not cut; what gets narrower stays, and so does what the user has chosen.
    void columnsGrowWithTheirTexts() {
        Shown t;
        TableContent other = tensors();
        other.rows[0].cells[2].text = u"recomputed, with a longer text"_s;
        const int before = t.width(2);
        t.panel.updateContent(other);
        const int wide = t.width(2);
        QVERIFY(wide > before);
        t.panel.updateContent(tensors());
        QCOMPARE(t.width(2), wide);
        t.panel.view()->setColumnWidth(2, 40);
        t.panel.updateContent(other);
        QCOMPARE(t.width(2), 40);
        t.panel.setContent(other);  // another run
        QCOMPARE(t.width(2), 40);
        t.panel.resize(700, 300);
        QCOMPARE(t.width(2), 40);
    }

    void copies_data() {
        const auto row = columns<int, QString, QString>("format", "all", "selected");
        row("text", static_cast<int>(TableFormat::text), "Value\tBytes\ngamma\t40\nbeta\t3000000\n",
            "Value\tBytes\nbeta\t3000000\n");
        row("markdown", static_cast<int>(TableFormat::markdown),
            "| Value | Bytes |\n| --- | --- |\n| gamma | 40 |\n| beta | 3000000 |\n",
            "| Value | Bytes |\n| --- | --- |\n| beta | 3000000 |\n");
        row("csv", static_cast<int>(TableFormat::csv), "Value,Bytes\r\ngamma,40\r\nbeta,3000000\r\n",
            "Value,Bytes\r\nbeta,3000000\r\n");
    }
    /// The selected rows, else those that the filter shows, as they are sorted.
    void copies() {
        QFETCH(int, format);
        QFETCH(QString, all);
        QFETCH(QString, selected);
        Shown t;
        t.panel.setHiddenColumns({u"Fate"_s, u"Flow"_s, u"Time"_s});
        t.panel.view()->sortByColumn(1, Qt::AscendingOrder);
        QCOMPARE(t.panel.copied(static_cast<TableFormat>(format)).rows, 3);
        t.panel.filter()->setText(u"t"_s);  // not in the row of alpha
        QCOMPARE(t.panel.copied(static_cast<TableFormat>(format)).text, all);
        t.selectRows({1});
        QCOMPARE(t.panel.copied(static_cast<TableFormat>(format)).text, selected);
        QCOMPARE(t.panel.copied(static_cast<TableFormat>(format), 1).text, all);
    }

    /// Ctrl+C copies what is seen: filtered, in the order of the view.
    void copyingRowsHeedsTheFilter() {
        const Shown t;
        t.panel.view()->sortByColumn(0, Qt::DescendingOrder);
        t.panel.filter()->setText(u"saved"_s);
        t.panel.view()->actions().front()->trigger();
        const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[1].startsWith(u"beta"_s) && lines[2].startsWith(u"alpha"_s));
    }
};

AOTSCOPE_TEST(TestTablePanel)

}  // namespace aotscope::test::table_panel_test

#include "test_table_panel.moc"
