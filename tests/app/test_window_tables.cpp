// Tables in the window: columns that are remembered.

#include "app/window_driver.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/written_profile.h"

#include <set>

namespace aotscope::test::window_tables_test {

class TestWindowTables : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void chosenColumnsAreRemembered() {
        {
            Driver d;
            QVERIFY(d.openSample("mlp"));
            QMenu* menu = d.table("valuesTable")->columnMenu();
            Q_EMIT menu->aboutToShow();
            menu->actions().at(4)->trigger();
            QVERIFY(d.table("valuesTable")->view()->isColumnHidden(4));
        }
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.table("valuesTable")->view()->isColumnHidden(4));
        QVERIFY(!d.table("inputsTable")->view()->isColumnHidden(4));
    }

    /// A profile that is dropped on the window is laid on the graphs, whose colours show its times.
    void profilesAreDropped() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.table("profileRows")->content().rows.empty());
        WrittenProfile written;
        double start = 0;
        for (const GraphKind kind : {GraphKind::forward, GraphKind::backward})
            for (const Node* node : d.record()->graph(kind)->nodes()) {
                if (node->kind() != NodeKind::call) continue;
                const std::string_view op = std::string_view(node->op()).substr(5);  // after "aten."
                written.operation("aten::" + std::string(op.substr(0, op.find('.'))), start, 10);
                start += 20;
            }
        written.operation("aten::lu_solve", start, 500);
        const QString file = scratch_.write(u"profile.json"_s, QByteArray::fromStdString(written.text()));
        QVERIFY(d.drop(file));
        QVERIFY(d.settle());
        const TableContent& joined = d.table("profileRows")->content();
        QVERIFY2(joined.rows.size() > 3, qPrintable(joined.summary + d.lastProblem()));
        QVERIFY(joined.summary.contains(u"joined to nodes"_s));
        for (const TableContent::Row& row : joined.rows) QVERIFY(row.node != kNoNode);
        const TableContent& others = d.table("profileUnjoined")->content();
        const auto isOther = [](const TableContent::Row& row) { return row.cells.front().text == u"aten::lu_solve"_s; };
        QCOMPARE(std::ranges::count_if(others.rows, isOther), 1);
        QCOMPARE(std::ranges::count_if(joined.rows, isOther), 0);
        QVERIFY(d.find<QAction>("colourBy-overlay")->isChecked());
        QVERIFY(d.openSample("sincos"));
        QVERIFY(d.table("profileRows")->content().rows.empty());
    }

    /// A file that is none says so, and the page stays as it is.
    void otherFilesAreNoProfiles() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.window.profile()->open(scratch_.write(u"other.json"_s, "{\"traceEvents\": []}"));
        QVERIFY(d.settle());
        QVERIFY(d.table("profileRows")->content().rows.empty());
        QVERIFY2(d.lastProblem().contains(u"torch.profiler"_s), qPrintable(d.lastProblem()));
    }

    /// Settings are kept by name.
    void everyTableHasAName() {
        const Driver d;
        std::set<QString> names;
        for (const TablePanel* table : d.window.findChildren<TablePanel*>()) {
            QVERIFY(!table->objectName().isEmpty());
            QVERIFY2(names.insert(table->objectName()).second, qPrintable(table->objectName()));
        }
        QVERIFY(names.size() > 10);
    }
};

AOTSCOPE_TEST(TestWindowTables)

}  // namespace aotscope::test::window_tables_test

#include "test_window_tables.moc"
