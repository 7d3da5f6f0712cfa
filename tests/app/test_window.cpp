// The main window at work on a model: running, selecting, stepping, checking, timing, options, cancelling.

#include "app/window_driver.h"
#include "support/test_program.h"

#include <QCheckBox>
#include <QDockWidget>
#include <QTextBlock>
#include <QTextList>

#include <set>

namespace aotscope::test::window_test {
namespace {

std::size_t coloursOf(const QPixmap& picture) {
    const QImage image = picture.toImage();
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); y += 2)
        for (int x = 0; x < image.width(); x += 2) colours.insert(image.pixel(x, y));
    return colours.size();
}

}  // namespace

class TestWindow : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void startsWithoutAModel() {
        Driver d;
        QVERIFY(!d.window.session());
        QVERIFY(d.window.busy());  // the pictures of the samples are being read
        QVERIFY(d.settle());
        QVERIFY(d.window.findChild<StartPage*>()->isVisible() && !d.pane()->isVisible());
        QVERIFY(!d.find<QAction>("actionRun")->isEnabled());
        QVERIFY(coloursOf(d.window.grab()) > 20);
    }

    void opensAModel() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QCOMPARE(d.modelName(), u"mlp"_s);
        QVERIFY(d.pane()->isVisible());
        QCOMPARE(d.pane()->kind(), GraphKind::joint);
        QCOMPARE(d.canvas()->nodeItemCount(), d.canvas()->graph()->nodes.size());
        QVERIFY(d.window.windowTitle().startsWith(u"mlp"_s));
        QVERIFY(d.summary().contains(u"saved 2 values"_s));
        QVERIFY(d.inspector().startsWith(u"joint graph"_s));
        QCOMPARE(d.table("inputsTable")->content().rows.size(), std::size_t{7});
        QCOMPARE(d.valuesWith(FateMark::saved) + d.valuesWith(FateMark::kept), d.record()->partition->saved.size());
        QCOMPARE(static_cast<std::size_t>(d.find<QTableView>("passList")->model()->rowCount()),
                 d.record()->passes.size());
        QCOMPARE(d.problems()->count(), 0);
        QVERIFY(d.find<QAction>("actionRun")->isEnabled());
        QVERIFY(coloursOf(d.window.grab()) > 50);
    }

    void showsThatItIsBusy() {
        Driver d;
        auto* cancel = d.window.statusBar()->findChild<QProgressBar*>();
        QVERIFY(!cancel->isVisible());
        d.window.openModel(u"sample:mlp"_s);
        QVERIFY(d.window.busy());
        QVERIFY(cancel->isVisible());
        QVERIFY(d.settle());
        QVERIFY(!cancel->isVisible());
    }

    void runsAgain() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const auto before = d.window.session();
        d.trigger("actionRun");
        QVERIFY(d.settle());
        QVERIFY(d.window.session() != before);
        QCOMPARE(d.modelName(), u"mlp"_s);
        QCOMPARE(d.problems()->count(), 0);
    }

    void opensAnotherModel() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        QVERIFY(d.openSample("sincos"));
        QCOMPARE(d.modelName(), u"sincos"_s);
        QVERIFY(d.summary().startsWith(u"sincos"_s));
        QCOMPARE(d.valuesWith(FateMark::recomputed), std::size_t{1});
        QVERIFY(!d.inspector().contains(u"relu"_s));
    }

    // --- graphs and passes ---

    void tabsShowTheGraphs() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        for (const auto& [kind, graph] : d.record()->graphs) {
            d.chooseTab(kind);
            QVERIFY(d.settle());
            QCOMPARE(d.pane()->graph(), graph);
            QCOMPARE(d.canvas()->graph()->kind, kind);
            QVERIFY(d.inspector().contains(u"%1 operations"_s.arg(graph->callCount())));
        }
    }

    void keysStepThroughThePasses() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(QTest::qWaitForWindowActive(&d.window, kPatience));
        auto* list = d.find<QTableView>("passList");
        std::vector<int> expected;
        for (std::size_t i = 1; i < d.record()->passes.size(); ++i)
            if (d.record()->passes[i].changed) expected.push_back(static_cast<int>(i));
        list->selectRow(0);
        QVERIFY(d.settle());
        for (const int row : expected) {
            QTest::keyClick(&d.window, Qt::Key_N);
            QCOMPARE(list->currentIndex().row(), row);
            QVERIFY(d.settle());
            // One of several equal graphs left by later passes represents all.
            const auto left = graphAfter(*d.record(), static_cast<std::size_t>(row), d.pane()->kind());
            QVERIFY(left);
            QCOMPARE(d.pane()->graph(), left->graph);
            QCOMPARE(left->pass, static_cast<std::size_t>(row));
        }
        QTest::keyClick(&d.window, Qt::Key_B);
        QCOMPARE(list->currentIndex().row(), expected[expected.size() - 2]);
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Home, Qt::ControlModifier);
        QTest::keyClick(list, Qt::Key_Down);
        QCOMPARE(list->currentIndex().row(), 1);
        QCOMPARE(d.pane()->graph(), d.record()->passes[1].graphs.front().second);
        QVERIFY(d.settle());
    }

    void lettersShowTheGraphs() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(QTest::qWaitForWindowActive(&d.window, kPatience));
        for (const auto& [key, kind] :
             {std::pair{Qt::Key_F, GraphKind::forward}, std::pair{Qt::Key_K, GraphKind::backward},
              std::pair{Qt::Key_S, GraphKind::source}, std::pair{Qt::Key_J, GraphKind::joint}}) {
            QTest::keyClick(&d.window, key);
            QCOMPARE(d.pane()->kind(), kind);
        }
        QVERIFY(d.settle());
    }

    // --- selection ---

    void aClickOnTheCanvasIsFollowedEverywhere() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const Node* relu = d.node(GraphKind::joint, "relu");
        d.clickNode(relu->id());
        QVERIFY(d.inspector().startsWith(u"aten.relu.default"_s));
        QVERIFY(d.inspector().contains(u"Saved for backward"_s));
        QCOMPARE(d.markedIn("valuesTable"), std::vector<NodeId>{relu->id()});
        const Node* mm = d.node(GraphKind::joint, "mm_2");
        d.clickNode(mm->id());
        QVERIFY(d.inspector().startsWith(u"aten.mm.default"_s));
        QVERIFY(d.markedIn("valuesTable").empty());
    }

    void aRowIsFollowedByCanvasAndInspector() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const Node* relu = d.node(GraphKind::joint, "relu_1");
        d.chooseRowOf("valuesTable", relu->id());
        QVERIFY(d.inspector().contains(u"%relu_1"_s));
        // The canvas has the same selection: an arrow key starts from it.
        d.canvas()->setFocus();
        QTest::keyClick(d.canvas(), Qt::Key_Down);
        QVERIFY(d.inspector().contains(u"%addmm_2"_s));
    }

    void everySavedValueCanBeClickedInTheTable() {
        Driver d;
        QVERIFY(d.openSample("gpt2-tiny"));
        for (const auto& value : d.record()->partition->saved) {
            d.chooseRowOf("valuesTable", value.node);
            QVERIFY2(d.inspector().contains(q("%" + value.name)), value.name.c_str());
        }
    }

    void aSelectionIsKeptFromGraphToGraph() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        for (const GraphKind kind : {GraphKind::forward, GraphKind::functional, GraphKind::joint}) {
            d.chooseTab(kind);
            QVERIFY(d.settle());
            QVERIFY(d.inspector().contains(u"%relu"_s));
        }
        QTest::keyClick(d.canvas(), Qt::Key_Escape);
        QVERIFY(d.inspector().startsWith(u"joint graph"_s));
    }

    void aRowOfAnotherGraphShowsThatGraph() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.chooseTab(GraphKind::forward);
        QVERIFY(d.settle());
        d.window.time();
        QVERIFY(d.settle());
        const Node* mm = d.node(GraphKind::backward, "mm_3");
        d.chooseRowOf("timingTable", mm->id());
        QCOMPARE(d.pane()->kind(), GraphKind::backward);
        QVERIFY(d.inspector().contains(u"%mm_3"_s));
        QVERIFY(d.settle());
    }

    // --- check, time, options ---

    void checks() {
        Driver d;
        QVERIFY(d.settle());
        d.window.check();  // nothing to check yet
        QVERIFY(!d.window.busy());
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionCheck");
        QVERIFY(d.settle());
        QCOMPARE(d.problems()->count(), 0);
        QVERIFY(d.table("checkTable")->isVisible());
        QVERIFY(d.find<QLabel>("checkVerdict")->text().startsWith(u"Equal to eager within tolerance: "_s));
    }

    void findsNoDifferenceWhereThereIsNone() {
        Driver d;
        QVERIFY(d.settle());
        d.window.findDifference();  // nothing to show yet
        QVERIFY(!d.window.busy());
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionBisect");
        QVERIFY(d.settle());
        QCOMPARE(d.problems()->count(), 0);
        auto* difference = d.find<QLabel>("firstDifference");
        QVERIFY(difference->isVisible());
        QVERIFY(difference->text().contains(u"values match eager after every pass"_s));
    }

    /// Until the next run, whatever else is reported meanwhile.
    void theVerdictStays() {
        for (const char* question : {"actionCheck", "actionBisect"}) {
            Driver d;
            const auto* verdict = d.find<CheckBadge>("verdict");
            QVERIFY(d.openSample("sincos"));
            QVERIFY(d.openSample("mlp"));
            QVERIFY(verdict->isVisible() && verdict->state() == CheckBadge::State::unchecked);
            d.trigger(question);
            QVERIFY(d.settle());
            d.window.statusBar()->showMessage(u"something else"_s);
            QVERIFY(verdict->state() == CheckBadge::State::equal);
            // With the time that a check took.
            QVERIFY2(verdict->text().startsWith(u"Equal to eager"_s), qPrintable(verdict->text()));
            const bool checks = QLatin1String(question) == "actionCheck"_L1;
            QCOMPARE(verdict->text().endsWith(u's'), checks);
            const QString said = d.verdict();
            for (const char* text : {"Allowed: 4e-06 in float32", "Checked at "})
                QVERIFY2(verdict->toolTip().contains(QLatin1String(text)), qPrintable(verdict->toolTip()));
            for (const char* text : {"The check took ", "Seed of random inputs and operations: 0", "Largest error"})
                QCOMPARE(verdict->toolTip().contains(QLatin1String(text)), checks);
            d.find<QDockWidget>("tablesDock")->close();
            d.find<QToolButton>("verdict")->click();
            QVERIFY(d.find<QLabel>("checkVerdict")->isVisible());
            d.choosePartition(PartitionAlgorithm::defaultPartition);
            QVERIFY(verdict->state() == CheckBadge::State::stale);
            QVERIFY(d.settle());
            QVERIFY(verdict->state() == CheckBadge::State::stale);
            QCOMPARE(d.verdict(), said);
            d.trigger("actionCheck");
            QVERIFY(d.settle());
            QVERIFY(verdict->state() == CheckBadge::State::equal);
            d.choosePartition(PartitionAlgorithm::minCut);  // an earlier run, with a verdict of its own
            QVERIFY(d.settle());
            QCOMPARE(d.verdict(), said);
        }
    }

    void times() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(!d.window.timing());
        QVERIFY(d.table("timingTable")->content().rows.empty());
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        d.trigger("actionTime");
        QVERIFY(d.settle());
        QVERIFY(d.window.timing());
        QCOMPARE(d.table("timingTable")->content().rows.size(), d.window.timing()->steps.size());
        QCOMPARE(d.window.timing()->steps.size(), d.record()->graph(GraphKind::forward)->callCount() +
                                                      d.record()->graph(GraphKind::backward)->callCount());
        QVERIFY(d.summary().contains(u"backward"_s));
        QVERIFY(d.inspector().contains(u"µs"_s));
        QVERIFY(d.table("timingTable")->isVisible());
    }

    void timesAsCharts() {
        Driver d;
        QVERIFY(d.openSample("gpt2-tiny"));
        QVERIFY(!d.find<QAction>("actionExportTimes")->isEnabled());
        d.trigger("actionTime");
        QVERIFY(d.settle());
        for (const auto& [name, action] :
             {std::pair{"flameChart", "actionFlame"}, std::pair{"timelineChart", "actionTimeline"}}) {
            auto* chart = d.find<TimeChart>(name);
            d.trigger(action);
            QVERIFY(chart->isVisible() && !chart->visibleRegion().isEmpty());
            const auto& bars = chart->picture().bars;
            const auto operation = std::find_if(bars.begin(), bars.end(), [&](const TimeBar& bar) {
                return bar.kind == TimeBar::Kind::operation && bar.graph == GraphKind::forward &&
                       bars[static_cast<std::size_t>(bar.around)].kind == TimeBar::Kind::module;
            });
            QVERIFY(operation != bars.end());
            const int at = static_cast<int>(operation - bars.begin());
            QTest::mouseDClick(chart, Qt::LeftButton, {}, chart->placeOf(at));
            QTest::mouseClick(chart, Qt::LeftButton, {}, chart->placeOf(at));
            QCOMPARE(d.canvas()->selectedNode(), operation->nodes.front());
            QTest::keyClick(chart, Qt::Key_Up);  // the module around it: all its operations
            const TimeBar& module = bars[static_cast<std::size_t>(operation->around)];
            QCOMPARE(chart->current(), operation->around);
            QCOMPARE(d.window.selection().others().size() + 1, module.nodes.size());
        }
        QVERIFY(!d.table("moduleTable")->content().rows.empty());
        auto* roofline = d.find<RooflineChart>("rooflineChart");
        d.trigger("actionRoofline");
        QVERIFY(roofline->isVisible() && roofline->hasFocus());
        QVERIFY(roofline->picture().points.size() > 20);
        QTest::keyClick(roofline, Qt::Key_Right);
        QTest::keyClick(roofline, Qt::Key_Return);
        QCOMPARE(d.canvas()->selectedNode(), roofline->picture().points.front().node);
        QVERIFY(d.openSample("mlp"));  // its own times are unknown
        QVERIFY(d.find<TimeChart>("flameChart")->picture().bars.empty());
        QVERIFY(!d.find<QAction>("actionExportTimes")->isEnabled());
    }

    void anotherPartitionRunsAgain() {
        Driver d;
        QVERIFY(d.openSample("sincos"));
        d.window.time();
        QVERIFY(d.settle());
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.window.busy());
        QVERIFY(d.settle());
        QCOMPARE(d.window.session()->options().partition.algorithm, PartitionAlgorithm::defaultPartition);
        QCOMPARE(d.record()->partition->algorithm, PartitionAlgorithm::defaultPartition);
        QCOMPARE(d.valuesWith(FateMark::saved) + d.valuesWith(FateMark::kept), std::size_t{2});
        QCOMPARE(d.valuesWith(FateMark::recomputed), std::size_t{0});
        QVERIFY(!d.window.timing());  // belonged to the other partition
        QVERIFY(d.table("timingTable")->content().rows.empty());
        QVERIFY(!d.find<QCheckBox>("staticParameters")->isEnabled());
    }

    void inferenceRunsAgain() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.find<QCheckBox>("inference")->setChecked(true);
        QVERIFY(d.settle());
        QVERIFY(d.record()->graph(GraphKind::inference) && !d.record()->partition);
        QVERIFY(d.record()->graph(d.pane()->kind()));
        QVERIFY(!d.find<QComboBox>("partition")->isEnabled());
        QVERIFY(d.summary().contains(u"inference 8 ops"_s));
        QVERIFY(d.table("valuesTable")->content().rows.empty());
        d.find<QCheckBox>("inference")->setChecked(false);
        QVERIFY(d.settle());
        QVERIFY(d.record()->partition);
    }

    void optionsAreShown() {
        Driver d;
        QVERIFY(d.settle());
        d.window.setOptions(
            {.mode = ModuleMode::eval, .partition = {.algorithm = PartitionAlgorithm::defaultPartition}});
        QCOMPARE(d.find<QComboBox>("mode")->currentText(), u"eval"_s);
        QVERIFY(!d.window.busy());
        QVERIFY(d.openSample("mlp"));
        QCOMPARE(d.window.session()->options().mode, ModuleMode::eval);
        QCOMPARE(d.window.session()->options().partition.algorithm, PartitionAlgorithm::defaultPartition);
    }

    // --- cancelling and closing ---

    void aCancelledRunLeavesTheWindowAsItWas() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const auto before = d.window.session();
        d.window.openModel(u"sample:resnet50"_s);
        d.window.cancel();
        QVERIFY(!d.window.busy());
        QCOMPARE(d.window.session(), before);
        QVERIFY(d.openSample("sincos"));  // waits behind the cancelled one, whose result is dropped
        QCOMPARE(d.modelName(), u"sincos"_s);
        QVERIFY(!d.recent().contains(u"sample:resnet50"_s));
        QCOMPARE(d.problems()->count(), 0);
    }

    void aCancelledLayoutLeavesASimpleOne() {
        Driver d;
        QVERIFY(d.openSample("gpt2-tiny"));
        d.chooseTab(GraphKind::forward);
        QVERIFY(d.window.busy());
        d.window.cancel();
        QVERIFY(!d.pane()->layoutRunning());
        QCOMPARE(d.canvas()->graph()->kind, GraphKind::forward);
        QVERIFY(!d.window.findChild<QProgressBar*>()->isVisible());
    }

    void onlyTheLastOfSeveralModelsIsShown() {
        Driver d;
        for (const char* sample : {"resnet18", "mlp", "sincos"})
            d.window.openModel(u"sample:"_s + QString::fromUtf8(sample));
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"sincos"_s);
        QCOMPARE(d.recent(), QStringList{u"sample:sincos"_s});
    }

    void closesWhileItWorks() {
        for (const bool layout : {false, true}) {
            Driver d;
            d.window.openModel(u"sample:mlp"_s);
            if (layout) QVERIFY(QTest::qWaitFor([&] { return d.window.session() != nullptr; }, kPatience));
            d.window.close();
        }
    }
};

AOTSCOPE_TEST(TestWindow)

}  // namespace aotscope::test::window_test

#include "test_window.moc"
