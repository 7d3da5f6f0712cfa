// The step debugger in the window: stepping, the mark on the canvas, values, breakpoints, planted faults.

#include "app/debug_driver.h"
#include "controllers/action_list.h"
#include "support/test_program.h"

#include <QApplication>
#include <QClipboard>
#include <QMenuBar>
#include <QToolBar>

#include <cmath>

namespace aotscope::test::window_debugger_test {
namespace {

using Reason = DebugStop::Reason;

}  // namespace

class TestWindowDebugger : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void statesAreShown() {
        Driver d;
        ValuePanel* values = d.window.debugger()->panel();
        QVERIFY(values->state().contains(u"Not started"_s));
        QVERIFY(!d.find<QAction>("actionDebug")->isEnabled());
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.find<QAction>("actionDebug")->isEnabled());
        QVERIFY(!d.find<QAction>("actionDebugStep")->isEnabled());
        d.trigger("actionDebug");
        QVERIFY(values->state().contains(u"Running"_s));
        QVERIFY(d.settle());
        QVERIFY2(values->state().startsWith(u"Paused in forward, step 1"_s), qPrintable(values->state()));
        QVERIFY(d.find<QAction>("actionDebugStep")->isEnabled());
        QVERIFY(d.find<QToolBar>("debugToolBar")->isVisible());
        d.trigger("actionDebugRun");
        QVERIFY(d.settle());
        QVERIFY2(values->state().startsWith(u"Ended"_s), qPrintable(values->state()));
        d.trigger("actionDebug");
        QVERIFY(values->state().contains(u"Not started"_s));
        QVERIFY(!d.find<QToolBar>("debugToolBar")->isVisible());
    }

    void theNextNodeIsMarkedAndTheCameraFollows() {
        Debugging d("gpt2-tiny");
        QVERIFY(d.opened);
        d.pane()->showKind(GraphKind::forward);
        QVERIFY(d.settle());
        d.trigger("actionOpenAll");
        QVERIFY(d.settle());
        QVERIFY(d.command("actionDebugStep"));
        QCOMPARE(d.canvas()->current(), d.position().node);
        QCOMPARE(d.canvas()->selectedNode(), d.stop().node);  // what was executed
        auto* legend = d.pane()->findChild<QWidget*>(u"legend"_s);
        QVERIFY2(legend->accessibleName().contains(u"next node in the debugger"_s),
                 qPrintable(legend->accessibleName()));
        // The node is far away, so the camera moves there.
        d.canvas()->resetZoom();
        const auto late = d.calls(GraphKind::forward, "aten.native_layer_norm.default");
        QVERIFY(late.size() > 2);
        Q_EMIT d.pane()->nodeSelected(late.back()->id());
        d.canvas()->goTo({QPointF(0, 0), 1});
        QVERIFY(d.command("actionDebugTo"));
        QCOMPARE(d.position().node, late.back()->id());
        const auto box = static_cast<std::size_t>(d.canvas()->graph()->indexOf.at(late.back()->id()));
        const QRectF view = d.canvas()->mapToScene(d.canvas()->viewport()->rect()).boundingRect();
        QVERIFY(view.intersects(d.canvas()->layout()->boxes[box]));
        // The canvas shows pixels of the mark.
        const QColor mark = d.canvas()->paintOptions().theme.current;
        const QImage picture = d.canvas()->grab().toImage();
        int marked = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x) marked += picture.pixelColor(x, y) == mark;
        QVERIFY2(marked > 50, qPrintable(QString::number(marked)));
        // Only at the position of the run.
        d.pane()->showKind(GraphKind::source);
        QVERIFY(d.settle());
        QCOMPARE(d.canvas()->current(), kNoNode);
        d.pane()->showKind(GraphKind::joint);
        QVERIFY(d.settle());
        QCOMPARE(d.canvas()->current(), late.back()->id());
        QVERIFY(d.command("actionDebugStep"));
        QCOMPARE(d.pane()->kind(), GraphKind::joint);
    }

    void stepsGoForthAndBack() {
        Debugging d("mlp");
        QVERIFY(d.opened);
        d.pane()->showKind(GraphKind::forward);
        QVERIFY(d.settle());
        QVERIFY(d.command("actionDebugStep"));
        QVERIFY(d.command("actionDebugStep"));
        QCOMPARE(d.position().step, std::size_t{2});
        QVERIFY(d.command("actionDebugBack"));
        QCOMPARE(d.position().step, std::size_t{1});
        const auto module = [&] {
            const Node* node = d.record()->graph(d.position().graph)->findById(d.position().node);
            return node->source ? node->source->module : std::string();
        };
        const std::string before = module();
        QVERIFY(d.command("actionDebugOver"));
        QVERIFY(d.position().graph == GraphKind::backward || module() != before || before.empty());
        QVERIFY(d.command("actionDebugRun"));
        QCOMPARE(d.stop().reason, Reason::ended);
        QCOMPARE(d.pane()->kind(), GraphKind::backward);
        QVERIFY(d.command("actionDebugRestart"));
        QCOMPARE(d.position().step, std::size_t{0});
        QCOMPARE(d.pane()->kind(), GraphKind::forward);
    }

    void valuesFollowTheSelection() {
        Debugging d("mlp");
        QVERIFY(d.opened);
        const Node* relu = d.node(GraphKind::forward, "relu");
        QVERIFY(d.select(GraphKind::forward, relu->id()));
        QCOMPARE(d.values()->shownName(), u"%relu"_s);
        QVERIFY(!d.values()->heatMap()->isVisible());
        QVERIFY(d.command("actionDebugRun"));
        QVERIFY(d.select(GraphKind::forward, relu->id()));
        QVERIFY(!d.values()->histogram()->bins().empty());
        QVERIFY(d.values()->heatMap()->image().rows > 1);
        QVERIFY(!d.values()->firstText().isEmpty());
        const auto& rows = d.table("watchTable")->content().rows;
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].cells[3].text, u"0"_s);  // min
        // Watched values stay.
        d.trigger("actionWatch");
        QVERIFY(d.settle());
        const Node* input = d.record()->graph(GraphKind::forward)->placeholders()[0];
        QVERIFY(d.select(GraphKind::forward, input->id()));
        QCOMPARE(d.table("watchTable")->content().rows.size(), std::size_t{2});
        QCOMPARE(d.values()->shownName(), q(input->label));
        d.chooseRowOf("watchTable", relu->id());
        QVERIFY(d.settle());
        QCOMPARE(d.canvas()->selectedNode(), relu->id());
        d.trigger("actionUnwatch");
        QVERIFY(d.settle());
        QVERIFY(d.select(GraphKind::forward, input->id()));
        QCOMPARE(d.table("watchTable")->content().rows.size(), std::size_t{1});
    }

    void leadingIndicesChooseThePicture() {
        Debugging d("gpt2-tiny");
        QVERIFY(d.opened);
        const Node* deep = nullptr;
        for (const Node* node : d.record()->graph(GraphKind::forward)->nodes())
            if (const auto* type = node->type.tensor();
                type && node->kind() == NodeKind::call && type->sizes.size() == 4 && type->sizes[1] > 1)
                deep = node;
        QVERIFY(deep);
        QVERIFY(d.command("actionDebugRun"));
        QVERIFY(d.select(GraphKind::forward, deep->id()));
        QCOMPARE(d.values()->indices().size(), std::size_t{2});
        const auto first = d.values()->heatMap()->image().cells;
        d.values()->indices()[1]->setValue(1);
        QVERIFY(d.settle());
        QVERIFY(d.values()->heatMap()->image().cells != first);
        d.values()->indices()[1]->setValue(0);
        QVERIFY(d.settle());
        QVERIFY(d.values()->heatMap()->image().cells == first);
    }

    void breakpointsStopTheRun() {
        Debugging d("mlp");
        QVERIFY(d.opened);
        QVERIFY(!d.addBreakpoint("absmax>>1"));
        QVERIFY(d.breakpoints()->state().contains(u"number"_s));
        QVERIFY(d.addBreakpoint("op:relu", 2));
        QVERIFY(d.command("actionDebugRun"));
        QCOMPARE(d.stop().reason, Reason::breakpoint);
        QCOMPARE(d.position().node, d.node(GraphKind::forward, "relu_1")->id());
        QVERIFY(d.values()->state().contains(u"op:relu"_s));
        const auto hits = [&] {
            return d.breakpoints()->view()->model()->index(0, BreakpointModel::Hits).data().toString();
        };
        QCOMPARE(hits(), u"2"_s);
        d.breakpoints()->view()->selectRow(0);
        d.breakpoints()->toggleSelected();
        const Node* mm = d.calls(GraphKind::backward, "aten.mm.default").front();
        QVERIFY(d.select(GraphKind::backward, mm->id()));
        d.trigger("actionDebugBreak");
        QCOMPARE(d.breakpoints()->conditions().size(), 2U);
        QVERIFY(d.command("actionDebugRun"));
        QCOMPARE(d.position().node, mm->id());
        QVERIFY(d.select(GraphKind::backward, mm->id()));
        d.trigger("actionDebugBreak");
        QCOMPARE(d.breakpoints()->conditions().size(), 1U);
        QVERIFY(d.command("actionDebugRun"));
        QCOMPARE(d.stop().reason, Reason::ended);
        d.trigger("actionDebug");
        QCOMPARE(hits(), u"–"_s);
    }

    /// Every command brings the steps and the values to the front; the steps follow, with the known values.
    void stepsFollowTheRun() {
        Debugging d("mlp");
        QVERIFY(d.opened);
        auto* table = d.find<QTableView>("stepTable");
        QVERIFY(table->isVisible() && d.steps().next() == 0);
        QCOMPARE(
            static_cast<std::size_t>(d.steps().rowCount()),
            d.record()->graph(GraphKind::forward)->callCount() + d.record()->graph(GraphKind::backward)->callCount());
        for (const char* command : {"actionDebugStep", "actionDebugStep", "actionDebugOver"}) {
            d.find<QDockWidget>("tablesDock")->close();
            d.find<QDockWidget>("inspectorDock")->raise();
            QVERIFY(d.command(command));
            QVERIFY(table->isVisible() && !d.values()->visibleRegion().isEmpty());
        }
        QCOMPARE(d.steps().steps()[static_cast<std::size_t>(d.steps().next())].node, d.position().node);
        QVERIFY(QTest::qWaitFor([&] { return d.steps().factsOf(0) && d.steps().factsOf(1); }, kPatience));
        QVERIFY(!d.steps().factsOf(d.steps().next()));
        table->selectRow(1);
        QCOMPARE(d.window.selection().node(), d.steps().steps()[1].node);
        QVERIFY(d.settle());
        QVERIFY(d.command("actionDebugRun"));
        QCOMPARE(d.steps().next(), d.steps().rowCount());
        d.trigger("actionDebug");  // the run ends
        QCOMPARE(d.steps().rowCount(), 0);
        QVERIFY(d.find<QLabel>("stepState")->text().contains(u"Not started"_s));
    }

    void aPlantedNaNIsFound() {
        Debugging d("gpt2-tiny");
        QVERIFY(d.opened);
        QVERIFY(d.command("actionDebugNaN"));
        QCOMPARE(d.stop().reason, Reason::ended);  // there is none
        const Node* mm = d.calls(GraphKind::backward, "aten.mm.default").at(3);
        QVERIFY(d.select(GraphKind::backward, mm->id()));
        QVERIFY(d.edit("[1, 2] = nan"));
        QVERIFY(d.command("actionDebugRun"));  // later values are affected
        QCOMPARE(d.stop().reason, Reason::ended);
        QVERIFY(d.command("actionDebugNaN"));
        QCOMPARE(d.stop().reason, Reason::notFinite);
        QCOMPARE(d.stop().graph, GraphKind::backward);
        QCOMPARE(d.stop().node, mm->id());
        QCOMPARE(d.canvas()->selectedNode(), mm->id());
        QVERIFY(d.values()->state().contains(u"%"_s + q(mm->name())));
        d.trigger("actionCopyFindingPython");
        QVERIFY(d.settle());
        const QString lines = QApplication::clipboard()->text();
        for (const char* line : {"found = aotscope.debug_first_nan(\"sample:", "print(torch.ops.aten.mm.default("})
            QVERIFY2(lines.contains(QString::fromUtf8(line)), qPrintable(lines));
        QVERIFY(std::isnan(d.values()->heatMap()->image().cells[static_cast<std::size_t>(
            d.values()->heatMap()->image().columns + 2)]));
        QVERIFY(d.command("actionDebugNaN"));
        QCOMPARE(d.stop().reason, Reason::ended);
    }

    void aPlantedWrongValueIsFound() {
        Debugging d("gpt2-tiny");
        QVERIFY(d.opened);
        d.trigger("actionDebugEager");
        QVERIFY(d.settle());
        QVERIFY(d.command("actionDebugRun"));
        QVERIFY2(d.stop().reason == Reason::ended, d.stop().text.c_str());  // all are eager's
        const Node* mm = d.calls(GraphKind::backward, "aten.mm.default").at(3);
        QVERIFY(d.select(GraphKind::backward, mm->id()));
        QVERIFY(d.edit("[1, 2] = 0.75"));
        QVERIFY(d.command("actionDebugRun"));
        QCOMPARE(d.stop().reason, Reason::difference);
        QCOMPARE(d.stop().graph, GraphKind::backward);
        QCOMPARE(d.stop().node, mm->id());
        QCOMPARE(d.canvas()->selectedNode(), mm->id());
        QVERIFY2(d.values()->state().contains(u"differs from eager by"_s), qPrintable(d.values()->state()));
        QVERIFY(d.values()->state().contains(u"at [1, 2]: 0.75"_s));
        // Without the comparison, the run continues to the end.
        d.trigger("actionDebugEager");
        QVERIFY(d.settle());
        QVERIFY(d.command("actionDebugRun"));
        QCOMPARE(d.stop().reason, Reason::ended);
    }

    void theOtherPartitionComputesTheSame() {
        Debugging d("gpt2-tiny");
        QVERIFY(d.opened);
        d.trigger("actionDebugOther");
        QVERIFY(d.settle());
        QVERIFY(d.command("actionDebugRun"));
        QVERIFY2(d.stop().reason == Reason::ended, d.stop().text.c_str());
        const Node* mm = d.calls(GraphKind::forward, "aten.addmm.default").at(1);
        QVERIFY(d.select(GraphKind::forward, mm->id()));
        QVERIFY(d.edit("[0, 0] = 3"));
        QVERIFY(d.command("actionDebugRun"));
        QCOMPARE(d.stop().node, mm->id());
        QVERIFY(d.values()->state().contains(u"the other run has"_s));
    }

    void badEditsAreRefused() {
        Debugging d("mlp");
        QVERIFY(d.opened);
        QVERIFY(d.command("actionDebugStep"));
        const std::size_t step = d.position().step;
        QVERIFY(d.edit("[0, 100000] = 1"));
        QVERIFY2(d.lastProblem().contains(u"dimension 1"_s), qPrintable(d.lastProblem()));
        QCOMPARE(d.position().step, step);
        QVERIFY(d.edit("7"));
        QCOMPARE(d.table("watchTable")->content().rows[0].cells[3].text, u"7"_s);
    }

    /// Text typed after F2 is the value, even before the run has reached it.
    void valuesAheadCanBeEdited() {
        Debugging d("mlp");
        QVERIFY(d.opened);
        const Node* relu = d.node(GraphKind::forward, "relu");
        QVERIFY(d.select(GraphKind::forward, relu->id()));
        d.trigger("actionEditValue");
        QVERIFY(d.values()->edit()->isEnabled());
        QCOMPARE(d.window.focusWidget(), d.values()->edit());
        QVERIFY(d.edit("7"));
        QCOMPARE(d.table("watchTable")->content().rows[0].cells[3].text, u"7"_s);
        QVERIFY2(d.values()->state().contains(u"%relu was edited"_s), qPrintable(d.values()->state()));
    }

    void breakpointsThatCannotStopAreNamed() {
        Debugging d("mlp");
        QVERIFY(d.opened);
        QVERIFY(d.addBreakpoint("op:no_such"));
        QVERIFY(d.command("actionDebugNaN"));
        QVERIFY2(d.values()->state().contains(u"no NaN or infinity was found in"_s), qPrintable(d.values()->state()));
        QVERIFY2(d.values()->state().contains(u"Note: breakpoint 'op:no_such' cannot stop the run"_s),
                 qPrintable(d.values()->state()));
    }

    void anotherSessionEndsTheRun() {
        Debugging d("mlp");
        QVERIFY(d.opened);
        QVERIFY(d.command("actionDebugStep"));
        QVERIFY(d.openSample("sincos"));
        QVERIFY(!d.debugger()->state());
        QVERIFY(d.values()->state().contains(u"Not started"_s));
        QCOMPARE(d.canvas()->current(), kNoNode);
        QVERIFY(!d.find<QAction>("actionDebugStep")->isEnabled());
        QVERIFY(d.start());
        QVERIFY(d.command("actionDebugRun"));
    }

    void aCommandCanBeCancelled() {
        Debugging d("gpt2-tiny");
        QVERIFY(d.opened);
        d.trigger("actionDebugRun");
        QVERIFY(!d.debugger()->state());
        d.window.cancel();
        QVERIFY(d.settle());
        QVERIFY(d.debugger()->state());  // wherever it was
        QVERIFY(d.command("actionDebugRun"));
        QCOMPARE(d.stop().reason, Reason::ended);
        d.trigger("actionDebugRestart");
        d.window.close();  // while it runs
    }

    void printedGraphsWithoutSizesCannotBeRun() {
        Driver d;
        QVERIFY(d.open(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/dynamic.log")));
        QVERIFY(!d.find<QAction>("actionDebug")->isEnabled());
        QVERIFY(d.window.debugger()->panel()->state().contains(u"is not known"_s));
        QVERIFY(d.open(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/mlp.log")));
        QVERIFY(d.find<QAction>("actionDebug")->isEnabled());
    }

    /// Each command has a key of its own and a tip in the status bar.
    void actionsHaveKeysOfTheirOwn() {
        Driver d;
        std::map<QString, QString> owner;
        for (const auto& [action, menu, text] : actionsOf(*d.window.menuBar()))
            for (const QKeySequence& keys : action->shortcuts()) {
                const QString key = keys.toString();
                QVERIFY2(!owner.contains(key), qPrintable(key + u": "_s + text + u", "_s + owner[key]));
                owner[key] = text;
            }
        for (const char* menu : {"Run", "Debug"})
            for (const QAction* action : d.menu(menu)->actions()) {
                if (action->isSeparator()) continue;
                QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->text()));
                QVERIFY2(!action->statusTip().isEmpty(), qPrintable(action->text()));
                QVERIFY2(!action->objectName().isEmpty(), qPrintable(action->text()));
            }
    }
};

AOTSCOPE_TEST(TestWindowDebugger)

}  // namespace aotscope::test::window_debugger_test

#include "test_window_debugger.moc"
