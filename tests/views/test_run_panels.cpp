// Panels of runs: the verdict of a check, breakpoints, steps, the log, the text of a graph.

#include "ir/printer.h"
#include "panels/breakpoint_panel.h"
#include "panels/check_panel.h"
#include "panels/graph/graph_text_panel.h"
#include "panels/log_panel.h"
#include "panels/step_panel.h"
#include "support/deep_graph.h"
#include "support/patience.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/records.h"

#include <QAction>
#include <QClipboard>

namespace aotscope::test::run_panels_test {
namespace {

CheckedValue checkedValue(CheckedValue::Kind kind, const char* name, const char* what, bool equal) {
    return {kind, 0, name, what, "f32[2]", equal ? 1e-8 : 0.5, equal ? 1e-7 : 0.25, 4e-6, equal};
}

/// A check of sample:mlp, whose first gradient differs.
CheckResult failedCheck() {
    CheckResult check;
    check.ok = false;
    check.backwardRun = true;
    check.eagerMs = 2;
    check.compiledMs = 1;
    check.tookMs = 85;
    check.seed = 7;
    check.outputsMaxError = 1e-7;
    check.gradsMaxError = 0.25;
    check.values = {
        checkedValue(CheckedValue::Kind::output, "output 0", "output 0", true),
        checkedValue(CheckedValue::Kind::gradient, "layers.0.weight", "gradient of 'layers.0.weight'", false)};
    Difference difference;
    difference.what = "gradient of 'layers.0.weight'";
    difference.maxAbs = 0.5;
    difference.total = 4;
    Difference count;
    count.kind = Difference::Kind::presence;
    count.what = "number of outputs";
    check.differences = {difference, count};
    return check;
}

void chooseAction(const QWidget& widget, const char* text) {
    for (QAction* action : widget.actions())
        if (action->text().remove(u'&') == QString::fromUtf8(text)) return action->trigger();
    qFatal("no action '%s'", text);
}

QString cellOf(const QTableView* view, int row, int column) {
    return view->model()->index(row, column).data().toString();
}

}  // namespace

class TestRunPanels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- the check ---

    void withoutACheckItIsSaidWhatToPress() {
        const CheckStory story = checkStory(*recordOf("mlp"), nullptr, nullptr);
        QVERIFY(story.verdict == CheckStory::Verdict::none && story.sentence.contains(u"F6"_s));
        CheckPanel panel;
        panel.setStory(story);
        panel.show();
        QVERIFY(!panel.values()->isVisible());
    }

    void eachComparedValueHasARow() {
        const auto record = recordOf("mlp");
        const CheckResult check = failedCheck();
        const CheckStory story = checkStory(*record, &check, nullptr);
        QCOMPARE(story.sentence, u"Differs from eager in 2 of 3 compared values"_s);
        QVERIFY(story.details.contains(u"eager 2.00 ms, compiled 1.00 ms"_s));
        QVERIFY2(story.details.contains(u"The check took 85.0 ms. Seed of random inputs and operations: 7."_s),
                 qPrintable(story.details));
        QVERIFY(story.details.contains(u"outputs 1e-07, gradients 0.25.\nAllowed: 4e-06 in float32"_s));
        const auto& rows = story.values.rows;
        QCOMPARE(rows.size(), 3U);  // those that differ first
        QCOMPARE(rows[0].cells[0].text, u"layers.0.weight"_s);
        QVERIFY(rows[0].cells[6].text == u"differs"_s && rows[0].cells[6].mark == TableContent::Mark::bad);
        QVERIFY(rows[0].cells[7].text.contains(u"of 4 elements differ"_s));
        QCOMPARE(rows[1].cells[0].text, u"number of outputs"_s);
        QVERIFY(rows[1].node == kNoNode);
        QVERIFY(rows[2].cells[6].text == u"equal"_s && rows[2].cells[6].mark == TableContent::Mark::good);
        const auto joint = record->graph(GraphKind::joint);
        QCOMPARE(rows[2].node, joint->outputs().front().node()->id());
        QVERIFY(joint->findById(rows[0].node));
    }

    void verdictsHaveColoursThatCanBeRead() {
        TableModel model;
        const CheckResult check = failedCheck();
        model.setContent(checkStory(*recordOf("mlp"), &check, nullptr).values);
        const auto colour = [&](int row) { return model.index(row, 6).data(Qt::ForegroundRole).value<QColor>(); };
        QVERIFY(colour(0).isValid() && colour(2).isValid() && colour(0) != colour(2));
        QVERIFY(!model.index(0, 0).data(Qt::ForegroundRole).isValid());
    }

    void theFirstDifferenceIsNamed() {
        BisectResult bisection;
        bisection.found = true;
        bisection.pass = PassId::joint;
        const CheckStory story = checkStory(*recordOf("mlp"), nullptr, &bisection);
        QVERIFY(story.verdict == CheckStory::Verdict::differs && story.hasPlace);
        QVERIFY(story.difference.contains(u"joint"_s));
        CheckPanel panel;
        QSignalSpy spy(&panel, &CheckPanel::placeAsked);
        panel.setStory(story);
        panel.show();
        QVERIFY(panel.showPlace()->isVisible());
        panel.showPlace()->click();
        QCOMPARE(spy.count(), 1);
        panel.setStory(ofEarlierRun(story));
        QVERIFY(!panel.showPlace()->isVisible());
        QVERIFY(panel.story().details.contains(u"earlier run"_s));
    }

    void anEarlierVerdictStandsForNoNodes() {
        const CheckResult check = failedCheck();
        const CheckStory story = ofEarlierRun(checkStory(*recordOf("mlp"), &check, nullptr));
        for (const auto& row : story.values.rows) QCOMPARE(row.node, kNoNode);
        QVERIFY(story.ofEarlierRun && story.verdict == CheckStory::Verdict::differs);
    }

    // --- breakpoints ---

    void breakpointsOfBothKindsAreOneTable() {
        BreakpointPanel panel;
        QSignalSpy spy(&panel, &BreakpointPanel::changed);
        panel.pass()->setCurrentText(u"partition"_s);
        panel.add();
        panel.add();  // it is there
        panel.when()->setCurrentIndex(3);
        panel.query()->setText(u"op:relu"_s);
        panel.add();
        QCOMPARE(spy.count(), 2);
        panel.startCondition();
        panel.condition()->setText(u"has_nan"_s);
        panel.hits()->setValue(3);
        panel.add();
        QCOMPARE(spy.count(), 3);
        QCOMPARE(panel.breakpoints().size(), 2U);
        QVERIFY(panel.conditions() == std::vector<DebugBreakpoint>({{"has_nan", 3, true}}));
        QCOMPARE(panel.view()->model()->rowCount(), 3);
        QCOMPARE(cellOf(panel.view(), 0, BreakpointModel::Place), u"before pass partition"_s);
        QCOMPARE(cellOf(panel.view(), 1, BreakpointModel::Condition), u"op:relu"_s);
        QCOMPARE(cellOf(panel.view(), 2, BreakpointModel::Place), u"after a value"_s);
    }

    /// The hit from which a run pauses differs from the number of hits.
    void hitsAreCountedBesideTheirThreshold() {
        BreakpointPanel panel;
        panel.setBreakpoints({{Breakpoint::When::passStarts, "joint", true}});
        panel.setConditions({{"has_nan", 3, true}, {"op:mm", 1, true}});
        const auto shown = [&](int row) -> QString {
            return cellOf(panel.view(), row, BreakpointModel::FromHit) + u' ' +
                   cellOf(panel.view(), row, BreakpointModel::Hits);
        };
        QCOMPARE(shown(0), u"– –"_s);
        QCOMPARE(shown(1), u"3 –"_s);
        panel.showHits({{"has_nan", 2}, {"op:mm", 0}});
        QCOMPARE(shown(1), u"3 2"_s);
        QCOMPARE(shown(2), u"1 0"_s);
        panel.showHits({});
        QCOMPARE(shown(2), u"1 –"_s);
        const auto* model = panel.view()->model();
        for (const int column : {BreakpointModel::FromHit, BreakpointModel::Hits})
            QVERIFY(!model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
    }

    void wrongConditionsAreExplained() {
        BreakpointPanel panel;
        panel.startCondition();
        panel.condition()->setText(u"absmax>>1"_s);
        panel.add();
        QVERIFY(panel.conditions().empty() && panel.state().contains(u"number"_s));
    }

    void breakpointsAreDisabledAndRemovedByKeys() {
        BreakpointPanel panel;
        panel.setBreakpoints({{Breakpoint::When::passStarts, "joint", true}});
        panel.setConditions({{"op:mm", 1, true}, {"has_inf", 1, true}});
        panel.show();
        panel.view()->selectRow(1);
        chooseAction(*panel.view(), "Enable or Disable");
        QVERIFY(!panel.conditions()[0].enabled && panel.conditions()[1].enabled);
        panel.view()->selectAll();
        chooseAction(*panel.view(), "Enable or Disable");  // one was disabled: all are enabled
        QVERIFY(panel.conditions()[0].enabled && panel.breakpoints()[0].enabled);
        chooseAction(*panel.view(), "Enable or Disable");
        QVERIFY(!panel.conditions()[1].enabled && !panel.breakpoints()[0].enabled);
        panel.view()->selectRow(1);
        chooseAction(*panel.view(), "Remove");
        QVERIFY(panel.conditions() == std::vector<DebugBreakpoint>({{"has_inf", 1, false}}));
        panel.view()->selectAll();
        chooseAction(*panel.view(), "Remove");
        QVERIFY(panel.conditions().empty() && panel.breakpoints().empty());
    }

    // --- steps ---

    void stepsShowWhatIsKnownOfTheirValues() {
        const auto session = Session::open({.model = "sample:mlp"}, {});
        const auto debugger = session->debug({});
        StepPanel panel;
        panel.resize(900, 400);
        panel.show();
        panel.setSteps(session->record(), debugger->steps());
        debugger->step({});
        debugger->step({});
        panel.setPosition(debugger->position());
        StepModel& model = panel.model();
        QCOMPARE(model.next(), 2);
        QCOMPARE(cellOf(panel.view(), 2, StepModel::Mark), u"▶"_s);
        QCOMPARE(cellOf(panel.view(), 0, StepModel::Mark), QString());
        const auto wanted = panel.wanted();
        QCOMPARE(wanted.size(), 2U);  // the others are not executed
        std::map<int, ValueFacts> facts;
        for (const auto& [row, step] : wanted) facts[row] = *debugger->value(step.graph, step.node);
        model.setFacts(facts);
        QVERIFY(panel.wanted().empty());
        QCOMPARE(cellOf(panel.view(), 1, StepModel::Mean), q(numberText(facts[1].mean)));
        QCOMPARE(cellOf(panel.view(), 1, StepModel::NotFinite), u"0"_s);
        debugger->stepBack();
        panel.setPosition(debugger->position());
        QVERIFY(model.factsOf(0) && !model.factsOf(1));
        QSignalSpy spy(&panel, &StepPanel::nodeSelected);
        panel.view()->selectRow(3);
        QCOMPARE(spy.count(), 1);
        panel.select(GraphKind::forward, model.steps()[0].node);
        QVERIFY(spy.count() == 1 && panel.view()->currentIndex().row() == 0);
    }

    // --- the log ---

    void linesAreFilteredByLevelAndText() {
        LogPanel panel;
        const auto shown = [&] { return panel.view()->model()->rowCount(); };
        panel.add(
            {{LogLevel::error, "a", "broke"}, {LogLevel::info, "b", "12 operations"}, {LogLevel::debug, "b", "x"}});
        QCOMPARE(shown(), 2);
        panel.level()->setCurrentIndex(static_cast<int>(LogLevel::debug));
        QCOMPARE(shown(), 3);
        panel.filter()->setText(u"OPER"_s);
        QCOMPARE(shown(), 1);
        QVERIFY(panel.text().contains(u"\tinfo\tb\t12 operations\n"_s));
        QVERIFY(!panel.text().contains(u"broke"_s));
        panel.filter()->clear();
        panel.level()->setCurrentIndex(static_cast<int>(LogLevel::error));
        QCOMPARE(shown(), 1);
    }

    void theLogKeepsTheNewestLines() {
        LogModel model;
        std::vector<LogEntry> many(60'000, {LogLevel::debug, "p", "old"});
        model.add(many);
        for (LogEntry& entry : many) entry.text = "new";
        model.add(many);
        QCOMPARE(model.rowCount(), 100'000);
        QCOMPARE(model.index(99'999, LogModel::Text).data().toString(), u"new"_s);
        QCOMPARE(model.index(0, LogModel::Text).data().toString(), u"old"_s);
    }

    // --- the text of a graph ---

    void partsOfALine() {
        using Kind = GraphTextPart::Kind;
        const QString line = u"  %y : f32[3, 3] = aten.add.Tensor(%x, %x.1, alpha=2)"_s;
        QStringList found;
        for (const GraphTextPart& part : partsOf(line))
            found << QString::number(static_cast<int>(part.kind)) + line.mid(part.start, part.length);
        const auto number = [](Kind kind) { return QString::number(static_cast<int>(kind)); };
        QCOMPARE(found, (QStringList{number(Kind::name) + u"%y"_s, number(Kind::type) + u"f32[3, 3]"_s,
                                     number(Kind::operation) + u"aten.add.Tensor"_s, number(Kind::name) + u"%x"_s,
                                     number(Kind::name) + u"%x.1"_s}));
        QCOMPARE(partsOf(u"  return [%y : output]"_s).front().kind, Kind::keyword);
        QVERIFY(partsOf(QString()).empty());
    }

    void theTextIsThatOfThePrinter() {
        const auto graph = recordOf("mlp")->graph(GraphKind::joint);
        const auto lines = GraphLines::of(graph);
        QCOMPARE(lines->text, q(printGraph(*graph)));
        QCOMPARE(lines->count(), lines->text.count(u'\n'));
        QCOMPARE(lines->count(), static_cast<int>(lines->nodes.size()));
        for (const Node* node : graph->nodes())
            QVERIFY(lines->line(lines->row(node->id()))
                        .contains(node->kind() == NodeKind::output ? u"return"_s : u'%' + q(node->name()) + u" : "_s));
        QCOMPARE(lines->row(kNoNode), -1);
    }

    /// Every line with the text, in either direction, around the end.
    void textIsFoundInLines() {
        const auto lines = GraphLines::of(recordOf("mlp")->graph(GraphKind::joint));
        for (const char* text : {"RELU", "aten.mm", "return", "%", "graph"}) {
            const QString wanted = QString::fromUtf8(text);
            const auto has = [&](int row) { return lines->line(row).contains(wanted, Qt::CaseInsensitive); };
            const int count = lines->count();
            for (int from = -1; from <= count; ++from)
                for (const int step : {1, -1}) {
                    int row = (from + count) % count;
                    while (!has(row)) row = (row + step + count) % count;
                    QCOMPARE(lines->find(wanted, from, step > 0), row);
                }
        }
        QCOMPARE(lines->find(u"no such operation"_s, 0, true), -1);
        QCOMPARE(lines->find({}, 0, true), -1);
    }

    void aLineSelectsItsNode() {
        const auto graph = recordOf("mlp")->graph(GraphKind::joint);
        GraphTextPanel panel;
        QSignalSpy spy(&panel, &GraphTextPanel::nodeSelected);
        panel.setGraph(graph);
        QVERIFY(!panel.busy());  // hidden
        panel.resize(500, 200);
        panel.show();
        const Node* relu = graph->findByName("relu");
        panel.select(relu->id());  // before there is a text
        QVERIFY(QTest::qWaitFor([&] { return panel.model().lines() != nullptr; }, kPatience));
        QVERIFY(panel.view()->currentIndex().data().toString().contains(u"%relu : "_s));
        QCOMPARE(spy.count(), 0);
        panel.view()->selectRow(1);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.last().first().toInt(), graph->nodes().front()->id());
        chooseAction(*panel.view(), "Copy Lines");
        QCOMPARE(QGuiApplication::clipboard()->text(), panel.model().lines()->line(1) + u'\n');
        panel.select(kNoNode);
        QVERIFY(!panel.view()->selectionModel()->hasSelection());
    }

    void textsAreFound() {
        const auto graph = recordOf("mlp")->graph(GraphKind::joint);
        GraphTextPanel panel;
        panel.setGraph(graph);
        panel.show();
        QVERIFY(QTest::qWaitFor([&] { return panel.model().lines() != nullptr; }, kPatience));
        panel.find()->setText(u"ATEN.relu"_s);
        std::vector<int> rows;
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(panel.find(), Qt::Key_Return);
            rows.push_back(panel.view()->currentIndex().row());
            QVERIFY(panel.view()->currentIndex().data().toString().contains(u"aten.relu"_s));
        }
        QVERIFY(rows[0] < rows[1]);
        QTest::keyClick(panel.find(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(panel.view()->currentIndex().row(), rows[1]);
        QTest::keyClick(panel.view(), Qt::Key_Slash);
        QCOMPARE(panel.focusWidget(), panel.find());
    }

    /// It is written in the background, and only visible lines are drawn.
    void aLongTextDoesNotBlock() {
        const std::shared_ptr<const Graph> graph = parseGraph(deepGraphText(500));
        GraphTextPanel panel;
        panel.resize(600, 300);
        panel.show();
        panel.setGraph(graph);
        QVERIFY(panel.busy() && !panel.model().lines());
        QVERIFY(QTest::qWaitFor([&] { return panel.model().lines() != nullptr; }, kPatience));
        QVERIFY(graph->size() > 5000 && panel.model().rowCount() > static_cast<int>(graph->size()));
        const Node* last = graph->outputs().back().node();
        panel.select(last->id());
        QVERIFY(panel.view()->currentIndex().data().toString().contains(q(last->name()) + u" : "_s));
        QVERIFY(!panel.grab().isNull());
    }

    void aNewGraphReplacesTheText() {
        GraphTextPanel panel;
        panel.resize(600, 300);
        panel.show();
        const auto record = recordOf("resnet18");
        for (const GraphKind kind : {GraphKind::joint, GraphKind::forward}) panel.setGraph(record->graph(kind));
        QVERIFY(QTest::qWaitFor(
            [&] { return panel.model().lines() && panel.model().lines()->graph == record->graph(GraphKind::forward); },
            kPatience));
        QVERIFY(!panel.grab().isNull());
        panel.setGraph(nullptr);
        QCOMPARE(panel.model().rowCount(), 0);
    }
};

AOTSCOPE_TEST(TestRunPanels)

}  // namespace aotscope::test::run_panels_test

#include "test_run_panels.moc"
