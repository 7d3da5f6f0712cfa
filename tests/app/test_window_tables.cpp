// Tables in the window: columns that are remembered.

#include "app/window_driver.h"
#include "support/test_program.h"

#include <set>

namespace aotscope::test::window_tables_test {

class TestWindowTables : public QObject {
    Q_OBJECT

    Isolation isolation_;

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
