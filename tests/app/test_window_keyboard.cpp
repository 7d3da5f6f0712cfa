// The keyboard in the main window: the focus, the keys, and that commands show their results.

#include "app/window_driver.h"
#include "record/pass_graphs.h"
#include "support/test_program.h"

#include <QDockWidget>
#include <QInputDialog>
#include <QSlider>

namespace aotscope::test::window_keyboard_test {
namespace {

/// A window with the keyboard focus.
struct Desk : Driver {
    Desk() { active = QTest::qWaitForWindowActive(&window, kPatience); }
    Pages* pages() const { return window.findChild<Pages*>(); }
    QDockWidget* tables() const { return find<QDockWidget>("tablesDock"); }
    /// Whether a page is visible: neither behind another one nor closed.
    bool sees(const QWidget* page) const {
        const auto parts = page->findChildren<QWidget*>();
        return !page->visibleRegion().isEmpty() ||
               std::ranges::any_of(parts, [](const QWidget* part) { return !part->visibleRegion().isEmpty(); });
    }
    bool sees(const char* page) const { return sees(pages()->find(QString::fromUtf8(page))->widget); }
    bool run(const char* action) const {
        trigger(action);
        return QTest::qWaitFor([this] { return !window.busy(); }, kPatience);
    }

    bool active;
};

}  // namespace

class TestWindowKeyboard : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    /// Tab only moves the focus, whichever page is in front.
    void tabOnlyMovesTheFocus() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        d.window.navigation()->search()->start();
        d.window.navigation()->search()->panel()->edit()->setText(u"op=mm"_s);
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        QVERIFY(d.run("actionHistory"));
        const auto graph = d.pane()->graph();
        std::set<QWidget*> visited;
        for (const Page& page : d.pages()->all()) {
            d.pages()->show(page.widget);
            const auto* front = d.pages()->tabs()->currentWidget();
            const NodeId node = d.window.selection().node();
            d.canvas()->setFocus();
            for (int stop = 0; stop < 120; ++stop) {
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
                visited.insert(QApplication::focusWidget());
                const char* where = QApplication::focusWidget()->metaObject()->className();
                QVERIFY2(d.pane()->graph() == graph, where);
                QVERIFY2(d.window.selection().node() == node, where);
                QCOMPARE(d.pages()->tabs()->currentWidget(), front);
            }
        }
        for (const char* view : {"passList", "searchResults", "historyTable"})
            QVERIFY2(visited.contains(d.find<QWidget>(view)), view);
        QVERIFY(visited.contains(d.table("valuesTable")->view()));
    }

    /// A key then starts at the pass whose graph is shown.
    void theListOfPassesIsWalkedFromTheShownGraph() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        auto* passes = d.find<QTableView>("passList");
        passes->setFocus(Qt::TabFocusReason);
        const int shown = passes->currentIndex().row();
        QVERIFY(shown > 0);
        QTest::keyClick(passes, Qt::Key_Up);
        QCOMPARE(passes->currentIndex().row(), shown - 1);
        const auto before = graphAfter(*d.record(), static_cast<std::size_t>(shown) - 1, GraphKind::joint);
        QVERIFY(before && d.pane()->graph() == before->graph);
    }

    void slashFiltersTheTableWithTheFocus() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        TablePanel* saved = d.table("valuesTable");
        saved->view()->setFocus();
        QTest::keyClick(saved->view(), Qt::Key_Slash);
        QCOMPARE(QApplication::focusWidget(), saved->filter());
        QTest::keyClicks(saved->filter(), u"a/b"_s);
        QCOMPARE(saved->filter()->text(), u"a/b"_s);
        QVERIFY(!d.sees("searchDock"));
    }

    void slashFindsNodesElsewhere() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        QWidget* edit = d.window.navigation()->search()->panel()->edit();
        for (QWidget* place :
             std::initializer_list<QWidget*>{d.canvas(), d.find<QTextBrowser>("inspector"),
                                             d.find<QTableView>("passList"), d.find<QTabBar>("graphTabs")}) {
            place->setFocus();
            QTest::keyClick(place, Qt::Key_Slash);
            QCOMPARE(QApplication::focusWidget(), edit);
            QTest::keyClick(edit, Qt::Key_Escape);
            QCOMPARE(QApplication::focusWidget(), d.canvas());
        }
    }

    void arrowsWalkThroughAFreshGraph() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        QCOMPARE(QApplication::focusWidget(), d.canvas());
        QCOMPARE(d.window.selection().node(), kNoNode);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        const NodeId first = d.window.selection().node();
        QVERIFY(first != kNoNode);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        QVERIFY(d.window.selection().node() != first);
    }

    /// A new model is examined; another option of the same model is one of several tried.
    void theCanvasHasTheKeyboardOfAnotherModel() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        d.trigger("actionOptions");
        d.find<QComboBox>("partition")->setFocus();
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        QCOMPARE(QApplication::focusWidget(), d.find<QComboBox>("partition"));
        QVERIFY(d.openSample("sincos"));
        QCOMPARE(QApplication::focusWidget(), d.canvas());
    }

    // --- commands show what they made ---

    void commandsRaiseTheirPages_data() {
        const auto add = columns<QString, QString>("action", "page");
        add("actionSweep", "pareto");
        add("actionTime", "times");
        add("actionFlame", "times");
        add("actionTimeline", "times");
        add("actionCheck", "check");
        add("actionBisect", "check");
        add("actionTrain", "trainPanel");
        add("actionHistory", "history");
        add("actionNextChange", "changesTable");
        add("actionBreakpoints", "breakpoints");
        add("actionValueBreakpoints", "breakpoints");
        add("actionGraphText", "graphTextDock");
        add("actionLog", "logDock");
        add("actionKeepRun", "compare");
        add("actionFind", "searchDock");
    }
    void commandsRaiseTheirPages() {
        FETCH(QString, action, page);
        Desk d;
        QVERIFY(d.openSample("mlp"));
        for (const bool closed : {false, true}) {
            d.pages()->show(d.pages()->table(u"valuesTable"_s));
            d.pages()->show(d.pages()->find(u"inspectorDock"_s)->widget);
            if (closed) d.tables()->close();
            QVERIFY(d.run(qPrintable(action)));
            QVERIFY2(d.sees(qPrintable(page)), closed ? "its dock was closed" : "another page was in front");
        }
    }

    /// Whatever the perspective, and although the section was closed.
    void whyIsBroughtToTheFront() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        auto* inspector = d.window.findChild<InspectorPanel*>();
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        QVERIFY(d.settle());
        inspector->setClosedSections({u"why"_s});
        d.pages()->show(d.window.whatIf()->panel());
        QVERIFY(!d.sees("inspectorDock") && !d.inspector().contains(u"The deciding rule first"_s));
        QVERIFY(d.run("actionWhy"));
        QVERIFY(d.sees("inspectorDock") && d.inspector().contains(u"The deciding rule first"_s));
        QCOMPARE(QApplication::focusWidget(), d.find<QTextBrowser>("inspector"));
    }

    void closedSectionsStayClosed() {
        {
            Desk d;
            auto* inspector = d.window.findChild<InspectorPanel*>();
            Q_EMIT d.find<QTextBrowser>("inspector")->anchorClicked(QUrl(u"section:metadata"_s));
            QCOMPARE(inspector->closedSections(), QStringList{u"metadata"_s});
        }
        const Desk d;
        QCOMPARE(d.window.findChild<InspectorPanel*>()->closedSections(), QStringList{u"metadata"_s});
    }

    void aKeptVariantIsShown() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        d.tables()->close();
        d.trigger("actionKeep");
        d.find<QInputDialog>("variantNameDialog")->accept();
        QVERIFY(d.settle());
        QVERIFY(d.sees("runs"));
        QCOMPARE(d.window.whatIf()->variants()->list().size(), 2U);
    }

    void bothTimesAreShown() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.run("actionKeepRun"));
        d.tables()->close();
        QVERIFY(d.run("actionTimeBoth"));
        QVERIFY(d.sees("compare"));
    }

    void aWatchedValueIsShown() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.run("actionDebug"));
        d.pages()->show(d.pages()->find(u"inspectorDock"_s)->widget);
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        QVERIFY(d.settle());
        QVERIFY(!d.sees("valuesDock"));
        QVERIFY(d.run("actionWatch"));
        QVERIFY(d.sees("valuesDock"));
    }

    /// The joint graph shows partitions.
    void anOverrideIsShown() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        d.chooseTab(GraphKind::forward);
        QVERIFY(d.settle());
        d.clickNode(d.node(GraphKind::forward, "relu")->id());
        QVERIFY(d.run("actionRecompute"));
        QCOMPARE(d.pane()->kind(), GraphKind::joint);
        QCOMPARE(d.window.whatIf()->shown().partition->recomputed.size(), 1U);
    }

    /// The keys of commands would be letters in the filter of the next part.
    void whatIsHiddenLeavesTheKeyboardToTheGraph() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        QVERIFY(d.run("actionDifference"));
        QVERIFY(QApplication::focusWidget() != d.canvas());
        QVERIFY(d.run("actionDifference"));
        QCOMPARE(QApplication::focusWidget(), d.canvas());
        d.trigger("show-whatIfDock");
        auto* budget = d.window.whatIf()->panel()->findChild<QSlider*>();
        budget->setFocus();
        QCOMPARE(QApplication::focusWidget(), budget);
        QVERIFY(d.run("actionCheck"));
        QVERIFY(!budget->isVisible());
        QCOMPARE(QApplication::focusWidget(), d.canvas());
    }

    void aGraphIsShownInPlaceOfADifference() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        QVERIFY(d.run("actionDifference"));
        QVERIFY(!d.pane()->isVisible());
        QTest::keyClick(&d.window, Qt::Key_J);
        QVERIFY(d.pane()->isVisible());
        d.trigger("actionStart");
        QTest::keyClick(&d.window, Qt::Key_J);
        QVERIFY(d.pane()->isVisible());
    }
};

AOTSCOPE_TEST(TestWindowKeyboard)

}  // namespace aotscope::test::window_keyboard_test

#include "test_window_keyboard.moc"
