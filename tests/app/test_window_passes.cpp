// Passes in the window: stepping, single changes, differences, the history of a node.

#include "app/window_driver.h"
#include "canvas/difference_picture.h"
#include "support/test_program.h"

#include <QCheckBox>
#include <QDockWidget>

#include <set>

namespace aotscope::test::window_passes_test {
namespace {

PassDifferenceView* differenceOf(const Driver& d) { return d.window.navigation()->difference()->view(); }
HistoryPanel* historyOf(const Driver& d) { return d.window.navigation()->history()->panel(); }

int passNamed(const Driver& d, const char* name) {
    const auto& passes = d.record()->passes;
    for (std::size_t i = 0; i < passes.size(); ++i)
        if (passes[i].id == enumeratorNamed<PassId>(name)) return static_cast<int>(i);
    return -1;
}

QPointF onScreen(const Driver& d) {
    const auto box = static_cast<std::size_t>(d.canvas()->graph()->indexOf.at(d.canvas()->selectedNode()));
    return d.canvas()->viewportTransform().map(d.canvas()->layout()->boxes[box].center());
}

}  // namespace

class TestWindowPasses : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void passesThatChangeNothingCanBeHidden() {
        {
            Driver d;
            QVERIFY(d.openSample("mlp"));
            auto* list = d.find<QTableView>("passList");
            d.find<QCheckBox>("hideIdlePasses")->setChecked(true);
            int hidden = 0;
            for (std::size_t i = 0; i < d.record()->passes.size(); ++i) {
                const bool idle = i > 0 && !d.record()->passes[i].changed;
                QCOMPARE(list->isRowHidden(static_cast<int>(i)), idle);
                hidden += idle;
            }
            QVERIFY(hidden > 0);
        }
        Driver again;
        QVERIFY(again.find<QCheckBox>("hideIdlePasses")->isChecked());
        QVERIFY(again.openSample("sincos"));
        QVERIFY(again.find<QTableView>("passList")->isRowHidden(passNamed(again, "compile")));
    }

    void theCameraKeepsTheSelectedNodeInPlace() {
        Driver d;
        QVERIFY(d.openSample("gpt2-tiny"));
        d.window.findChild<PassPanel*>()->setCurrentPass(passNamed(d, "joint"));
        QVERIFY(d.settle());
        const Node* node = nullptr;
        for (const Node* candidate : d.pane()->graph()->nodes())
            if (candidate->isCall("aten.mm.default") || candidate->isCall("aten.addmm.default")) node = candidate;
        d.clickNode(node->id());
        d.canvas()->resetZoom();
        d.canvas()->zoomBy(0.8);
        d.canvas()->centreOnSelection();
        const double zoom = d.canvas()->transform().m11();
        const QPointF before = onScreen(d);
        d.window.findChild<PassPanel*>()->setCurrentPass(passNamed(d, "dead-code"));
        QVERIFY(d.settle());
        QCOMPARE(d.canvas()->selectedNode(), node->id());
        QCOMPARE(d.canvas()->transform().m11(), zoom);
        QVERIFY2((onScreen(d) - before).manhattanLength() < 6,
                 qPrintable(u"%1 %2"_s.arg(onScreen(d).y()).arg(before.y())));
    }

    /// Stepping back shows the previous pass, stepping on the next one.
    void theNextPassIsDrawnAhead() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(!d.pane()->preparing());
        auto* passes = d.window.findChild<PassPanel*>();
        passes->setCurrentPass(passNamed(d, "partition"));
        QVERIFY(d.settle());
        for (const int direction : {-1, -1, -1}) {
            QTRY_VERIFY_WITH_TIMEOUT(!d.pane()->preparing(), kPatience);
            const auto before = d.pane()->graph();
            passes->step(direction);
            QVERIFY(!d.pane()->layoutRunning());
            QCOMPARE(d.pane()->graph(),
                     d.record()->passes[static_cast<std::size_t>(passes->currentPass())].graphs.front().second);
            QVERIFY(d.pane()->graph() != before);
            QVERIFY(d.settle());
        }
    }

    void theSelectionFollowsANodeThroughThePasses() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const NodeId relu = d.node(GraphKind::joint, "relu")->id();
        d.clickNode(relu);
        for (const GraphKind kind : {GraphKind::source, GraphKind::preFunctionalization, GraphKind::functional}) {
            d.chooseTab(kind);
            QVERIFY(d.settle());
            QVERIFY2(d.inspector().contains(u"relu"_s), qPrintable(d.inspector()));
        }
        d.chooseTab(GraphKind::joint);
        QVERIFY(d.settle());
        QCOMPARE(d.canvas()->selectedNode(), relu);
    }

    void singleChangesAreSteppedThrough() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.window.findChild<PassPanel*>()->setCurrentPass(passNamed(d, "partition"));
        QVERIFY(d.settle());
        const auto& rows = d.table("changesTable")->content().rows;
        QCOMPARE(rows.size(), d.record()->partition->saved.size() + d.record()->partition->recomputed.size());
        for (const auto& row : rows) {
            d.trigger("actionNextChange");
            QVERIFY(d.settle());
            QCOMPARE(d.canvas()->selectedNode() == row.node || !d.canvas()->graph()->indexOf.contains(row.node), true);
        }
        d.trigger("actionPreviousChange");
        QVERIFY(d.settle());
        QCOMPARE(d.table("changesTable")->view()->currentIndex().row(), static_cast<int>(rows.size()) - 2);
    }

    void singleChangesLeadFromPassToPass() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        std::set<int> passes, expected;
        for (std::size_t i = 1; i < d.record()->passes.size(); ++i)
            if (d.record()->passes[i].changed) expected.insert(static_cast<int>(i));
        d.window.findChild<PassPanel*>()->setCurrentPass(0);
        QVERIFY(d.settle());
        for (int i = 0; i < 200 && passes.size() < expected.size(); ++i) {
            d.trigger("actionNextChange");
            QVERIFY(d.settle());
            passes.insert(d.window.findChild<PassPanel*>()->currentPass());
        }
        QCOMPARE(passes, expected);
    }

    void aDifferenceIsShownAsGraphAndAsText() {
        Driver d;
        QVERIFY(d.openSample("mutations"));
        auto* controller = d.window.navigation()->difference();
        const auto& graphs = controller->graphs();
        int functional = -1;
        for (std::size_t i = 0; i < graphs.size(); ++i)
            if (graphs[i].kind == GraphKind::functional && functional < 0) functional = static_cast<int>(i);
        QVERIFY(functional > 0);
        controller->showRange(functional - 1, functional);
        QVERIFY(d.settle());
        QVERIFY(differenceOf(d)->isVisible() && !d.pane()->isVisible());
        const auto difference = controller->difference();
        QVERIFY(difference && difference->changed > 0);  // in-place operations became functional ones
        const DrawnGraph& drawn = *differenceOf(d)->canvas()->graph();
        std::size_t ghosts = 0;
        for (const DrawnNode& node : drawn.nodes) {
            ghosts += node.ghost;
            if (node.ghost) QVERIFY(isGhost(node.id));
        }
        QVERIFY(ghosts <= difference->removed);
        QVERIFY(!drawn.tints.empty());
        QVERIFY(d.find<QLabel>("differenceSummary")->text().contains(u"changed"_s));
        differenceOf(d)->showText(true);
        const auto& model = differenceOf(d)->model();
        QCOMPARE(static_cast<std::size_t>(model.rowCount()), difference->rows.size());
        // A click on a row selects the node in the picture and in the window.
        int changed = -1;
        for (int row = 0; row < model.rowCount(); ++row)
            if (const Node* node = difference->after->findById(model.row(row).after);
                model.row(row).kind == DifferenceKind::changed && node && node->kind() == NodeKind::call)
                changed = row;
        QVERIFY(model.whatChanged(changed).contains(u"->"_s));
        differenceOf(d)->text()->view(DifferenceTextModel::Side::after)->selectRow(changed);
        QCOMPARE(differenceOf(d)->canvas()->selectedNode(), model.row(changed).after);
        d.trigger("actionDifference");
        QVERIFY(d.pane()->isVisible() && !differenceOf(d)->isVisible());
        QCoreApplication::processEvents();
        QVERIFY(d.canvas()->geometry().bottom() < d.pane()->strip()->y());
    }

    /// The difference, the list of passes and the graph behind refer to one pass, however it is chosen.
    void aDifferenceKeepsStepWithThePasses() {
        Driver d;
        QVERIFY(d.openSample("resnet18"));
        auto* controller = d.window.navigation()->difference();
        auto* passes = d.window.findChild<PassPanel*>();
        const auto inStep = [&] {
            if (!d.settle() || !controller->difference()) return false;
            const auto stop = static_cast<std::size_t>(differenceOf(d)->slider()->to());
            const PassGraph& later = controller->graphs()[stop];
            return controller->difference()->after == later.graph && d.pane()->graph() == later.graph &&
                   passes->currentPass() == static_cast<int>(later.pass);
        };
        passes->setCurrentPass(passNamed(d, "forward-traced"));
        d.trigger("actionDifference");
        QVERIFY(inStep());
        d.trigger("actionDifference");
        passes->step(1);
        passes->step(1);
        d.trigger("actionDifference");
        QVERIFY(inStep());
        QCOMPARE(passes->currentPass(), passNamed(d, "joint"));
        passes->step(1);
        QVERIFY(inStep());
        QVERIFY(controller->shown());
        QCOMPARE(passes->currentPass(), passNamed(d, "dead-code"));
        passes->setCurrentPass(passNamed(d, "common-subexpressions"));  // it has changed nothing
        QVERIFY(d.settle());
        QVERIFY(controller->shown() && controller->difference()->empty());
        QCOMPARE(passes->currentPass(), passNamed(d, "common-subexpressions"));
        differenceOf(d)->slider()->setFocus();
        for (int i = 0; i < 2; ++i) QTest::keyClick(differenceOf(d)->slider(), Qt::Key_Left, Qt::ShiftModifier);
        QTest::keyClick(differenceOf(d)->slider(), Qt::Key_Left);
        QVERIFY(inStep());
        QCOMPARE(passes->currentPass(), passNamed(d, "joint"));
        // Two chosen graphs are shown again.
        const auto chosen = controller->difference()->before;
        d.trigger("actionDifference");
        QVERIFY(d.settle());
        QVERIFY(d.pane()->isVisible());
        QCOMPARE(d.pane()->graph(),
                 d.record()->passes[static_cast<std::size_t>(passNamed(d, "joint"))].graphs[0].second);
        d.trigger("actionDifference");
        QVERIFY(inStep());
        QCOMPARE(controller->difference()->before, chosen);
    }

    void aDifferenceOpensAtItsFirstChange() {
        Driver d;
        QVERIFY(d.openSample("resnet18"));
        for (const char* pass : {"functional", "joint", "dead-code"}) {
            d.window.findChild<PassPanel*>()->setCurrentPass(passNamed(d, pass));
            if (!d.window.navigation()->difference()->shown()) d.trigger("actionDifference");
            QVERIFY(d.settle());
            const GraphView* canvas = differenceOf(d)->canvas();
            const int first = firstChange(*canvas->graph());
            QVERIFY(first >= 0);
            const QPointF place =
                canvas->viewportTransform().map(canvas->layout()->boxes[static_cast<std::size_t>(first)].center());
            const QPointF away = place - QRectF(canvas->viewport()->rect()).center();
            QVERIFY2(QRectF(canvas->viewport()->rect()).contains(place) && std::abs(away.y()) < canvas->height() / 2.0,
                     qPrintable(u"%1: %2 %3"_s.arg(q(pass)).arg(place.x()).arg(place.y())));
        }
    }

    void theSliderChoosesAnyTwoPasses() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionDifference");
        QVERIFY(d.settle());
        PassSlider* slider = differenceOf(d)->slider();
        QCOMPARE(static_cast<std::size_t>(slider->stops()), d.window.navigation()->difference()->graphs().size());
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Left, Qt::ShiftModifier);
        QTest::keyClick(slider, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(d.settle());
        const auto difference = d.window.navigation()->difference()->difference();
        const auto& graphs = d.window.navigation()->difference()->graphs();
        QCOMPARE(difference->before, graphs[static_cast<std::size_t>(slider->from())].graph);
        QCOMPARE(difference->after, graphs[static_cast<std::size_t>(slider->to())].graph);
        QVERIFY(slider->to() - slider->from() >= 2);
        // Choosing a graph closes the difference.
        d.chooseTab(GraphKind::functional);
        QVERIFY(d.settle());
        QVERIFY(d.pane()->isVisible());
        QVERIFY(!d.find<QAction>("actionDifference")->isChecked());
    }

    void aHistoryIsShownAndLeadsToItsGraphs() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        d.trigger("actionHistory");
        QVERIFY(d.settle());
        QVERIFY(historyOf(d)->isVisible());
        const auto steps = historyOf(d)->steps();
        QVERIFY(steps.size() >= 5);
        QCOMPARE(steps.front().state, HistoryStep::State::appears);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].nodes.empty()) continue;
            historyOf(d)->table()->selectRow(static_cast<int>(i));
            QVERIFY(d.settle());
            QCOMPARE(d.pane()->graph(), steps[i].where.graph);
            const NodeId node = steps[i].nodes.front();
            if (d.canvas()->graph()->indexOf.contains(node)) QCOMPARE(d.canvas()->selectedNode(), node);
            QVERIFY(d.inspector().contains(u"relu"_s));
        }
        QCOMPARE(historyOf(d)->steps().size(), steps.size());  // of the same node still
    }

    // --- breakpoints ---

    void thePipelineStopsAndGoesOn() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const auto before = d.window.session();
        BreakpointController* breakpoints = d.window.navigation()->breakpoints();
        breakpoints->panel()->setBreakpoints({{Breakpoint::When::passStarts, "partition", true}});
        d.trigger("actionRun");
        QVERIFY(QTest::qWaitFor([&] { return breakpoints->stop() != nullptr; }, kPatience));
        QVERIFY(d.window.busy());
        QVERIFY(!breakpoints->stop()->record->partition);
        QVERIFY(breakpoints->panel()->state().contains(u"partition"_s));
        QCOMPARE(static_cast<std::size_t>(d.find<QTableView>("passList")->model()->rowCount()),
                 breakpoints->stop()->record->passes.size());
        // Finished graphs can be viewed.
        d.find<QTableView>("passList")->selectRow(1);
        QCOMPARE(d.pane()->graph(), breakpoints->stop()->record->passes[1].graphs.front().second);
        d.trigger("actionStep");
        QVERIFY(QTest::qWaitFor([&] { return breakpoints->stop() != nullptr; }, kPatience));
        QVERIFY(breakpoints->panel()->state().contains(u"compile"_s));
        QVERIFY(breakpoints->stop()->record->partition);
        d.trigger("actionContinue");
        QVERIFY(d.settle());
        QVERIFY(d.window.session() != before);
        QCOMPARE(static_cast<std::size_t>(d.find<QTableView>("passList")->model()->rowCount()),
                 d.record()->passes.size());
        QCOMPARE(d.problems()->count(), 0);
    }

    void aStoppedRunCanBeCancelled() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const auto before = d.window.session();
        BreakpointController* breakpoints = d.window.navigation()->breakpoints();
        breakpoints->panel()->setBreakpoints({{Breakpoint::When::nodeAppears, "stage:backward call", true}});
        d.trigger("actionRun");
        QVERIFY(QTest::qWaitFor([&] { return breakpoints->stop() != nullptr; }, kPatience));
        QVERIFY(d.inspector().contains(u"%"_s));  // the node that appeared is selected
        d.window.cancel();
        QVERIFY(d.settle());
        QTest::qWait(100);
        QVERIFY(!breakpoints->stop());
        QCOMPARE(d.window.session(), before);
        QCOMPARE(d.pane()->graph(), before->record()->graph(d.pane()->kind()));
        QCOMPARE(static_cast<std::size_t>(d.find<QTableView>("passList")->model()->rowCount()),
                 d.record()->passes.size());
    }

    /// Results of the previous run are not shown for the paused one.
    void tablesAreThoseOfTheStoppedRun() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.window.time();
        QVERIFY(d.settle());
        d.window.whatIf()->variants()->keep(u"mine"_s);
        d.clickNode(d.node(GraphKind::joint, "addmm")->id());
        QVERIFY(d.settle());
        const auto rowsOf = [&](const char* table) { return d.table(table)->content().rows.size(); };
        auto* tables = d.find<QTabWidget>("tables");
        const int variants = tables->indexOf(d.find<RunPanel>("runs"));
        const std::size_t saved = rowsOf("valuesTable"), timed = rowsOf("timingTable");
        const QString why = d.why(), title = d.window.windowTitle();
        QVERIFY(saved > 0 && timed > 0 && why.contains(u"%addmm"_s));
        BreakpointController* breakpoints = d.window.navigation()->breakpoints();
        breakpoints->panel()->setBreakpoints({{Breakpoint::When::passStarts, "partition", true}});
        d.trigger("actionRun");
        QVERIFY(QTest::qWaitFor([&] { return breakpoints->stop() != nullptr; }, kPatience));
        QTRY_COMPARE_WITH_TIMEOUT(rowsOf("inputsTable"), d.record()->metadata->inputs.size(), kPatience);
        for (const char* table : {"valuesTable", "timingTable"})
            QTRY_COMPARE_WITH_TIMEOUT(rowsOf(table), 0U, kPatience);
        QVERIFY(!tables->isTabEnabled(variants));
        QVERIFY(d.why().isEmpty());  // this run has no partition yet
        QVERIFY(!d.find<QAction>("actionKeep")->isEnabled());
        QCOMPARE(d.window.windowTitle(), u"mlp[*] - joint graph, stopped - aotscope"_s);
        QVERIFY(!d.summary().contains(u"saved"_s) && !d.summary().contains(u"forward"_s));
        d.clickNode(breakpoints->stop()->record->graph(GraphKind::joint)->findByName("addmm")->id());
        QVERIFY(!d.inspector().contains(u"µs"_s));
        const QString file = isolation_.folder().at(u"stopped.txt"_s);
        d.window.exportTo(file);
        QVERIFY(contentOf(file).startsWith("graph joint"));
        d.window.cancel();
        QVERIFY(d.settle());
        QTRY_COMPARE_WITH_TIMEOUT(rowsOf("valuesTable"), saved, kPatience);
        QVERIFY(d.settle());
        QCOMPARE(rowsOf("timingTable"), timed);
        QVERIFY(tables->isTabEnabled(variants));
        QCOMPARE(d.window.windowTitle(), title);
        QCOMPARE(d.window.whatIf()->variants()->list().at(1).name, u"mine"_s);
        d.clickNode(d.node(GraphKind::joint, "addmm")->id());
        QVERIFY(d.settle());
        QCOMPARE(d.why(), why);
    }

    /// A cancelled first run leaves nothing.
    void aCancelledFirstRunLeavesNothing() {
        Driver d;
        BreakpointController* breakpoints = d.window.navigation()->breakpoints();
        breakpoints->panel()->setBreakpoints({{Breakpoint::When::passStarts, "partition", true}});
        d.window.openModel(u"sample:mlp"_s);
        QVERIFY(QTest::qWaitFor([&] { return breakpoints->stop() != nullptr; }, kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(!d.table("inputsTable")->content().rows.empty(), kPatience);
        d.window.cancel();
        QVERIFY(d.settle());
        QTRY_VERIFY_WITH_TIMEOUT(d.table("inputsTable")->content().rows.empty(), kPatience);
        QCOMPARE(d.window.windowTitle(), u"aotscope[*]"_s);
        QVERIFY(!d.pane()->isVisible());
    }

    void theWindowCanBeClosedWhileTheRunIsPaused() {
        Driver d;
        d.window.navigation()->breakpoints()->panel()->setBreakpoints({{Breakpoint::When::passStarts, "joint", true}});
        d.window.openModel(u"sample:mlp"_s);
        QVERIFY(QTest::qWaitFor([&] { return d.window.navigation()->breakpoints()->stop() != nullptr; }, kPatience));
        QVERIFY(d.pane()->isVisible());
        d.window.close();
    }

    void theFirstStepStopsBeforeTheFirstPass() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionStep");
        BreakpointController* breakpoints = d.window.navigation()->breakpoints();
        QVERIFY(QTest::qWaitFor([&] { return breakpoints->stop() != nullptr; }, kPatience));
        QCOMPARE(breakpoints->stop()->record->passes.size(), std::size_t{1});
        d.trigger("actionContinue");
        QVERIFY(d.settle());
    }

    void withoutASelectionThereIsNoHistory() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionHistory");
        QVERIFY(d.settle());
        QVERIFY(historyOf(d)->steps().empty());
        QVERIFY(!historyOf(d)->table()->isVisible());
    }
};

AOTSCOPE_TEST(TestWindowPasses)

}  // namespace aotscope::test::window_passes_test

#include "test_window_passes.moc"
