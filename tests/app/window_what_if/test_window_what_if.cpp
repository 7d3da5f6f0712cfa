// Explanations, overrides and budgets.

#include "test_window_what_if.h"
#include "support/given_machine.h"
#include "support/test_program.h"
#include "what_if_driver.h"

#include "io/text_report.h"
#include "support/processor_clock.h"

#include <QClipboard>
#include <QSlider>

using namespace aotscope;
using namespace aotscope::test;

/// A fixed speed of this machine, whatever else it does.
void TestWindowWhatIf::initTestCase() { giveMachine(isolation_.folder().path(), chosenMachine()); }

void TestWindowWhatIf::init() { isolation_.forget(); }

void TestWindowWhatIf::whyFollowsTheSelection() {
    WhatIf d;
    QVERIFY(!d.find<QAction>("actionKeep")->isEnabled());
    QVERIFY(d.openSample("mlp"));
    QVERIFY(d.why().isEmpty());
    d.selectNode("addmm");
    QVERIFY(d.settle());
    QVERIFY(d.why().contains(u"%addmm"_s));
    QVERIFY(d.why().contains(u"The deciding rule first"_s));
    QVERIFY(d.inspector().contains(u"Cost of the other choice"_s));
    QVERIFY(d.find<QAction>("actionRecompute")->isEnabled());
}

void TestWindowWhatIf::linksOfWhyMoveTheSelection() {
    WhatIf d;
    QVERIFY(d.openSample("sincos"));
    const NodeId again = d.record()->partition->recomputed.at(0).node;
    d.clickNode(again);
    QVERIFY(d.settle());
    const NodeId other = d.record()->graph(GraphKind::joint)->findById(again)->inputs()[0]->id();
    Q_EMIT d.window.findChild<InspectorPanel*>()->nodeSelected(other);
    QVERIFY(d.settle());
    QVERIFY(d.why().contains(q(d.record()->graph(GraphKind::joint)->findById(other)->name())));
}

void TestWindowWhatIf::anOverrideChangesThePictureAndIsUndone() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    const GraphLayout* layout = d.canvas()->layout();
    const std::size_t saved = d.controller().shown().figures.savedValues;
    const NodeId node = d.savedActivation();
    d.clickNode(node);
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    QVERIFY(d.controller().shown().options.cut.mustRecompute.contains(node));
    QCOMPARE(d.canvas()->layout(), layout);
    QVERIFY(d.changedBoxes() > 0);
    QVERIFY(!d.controller().difference()->right()->content().rows.empty());
    QCOMPARE(d.find<QListWidget>("overrides")->count(), 1);
    QVERIFY(d.why().contains(u"Recomputed in backward"_s));
    QVERIFY(d.controller().answerMs() > 0);

    QVERIFY(d.menu("Edit")->actions().contains(d.find<QAction>("actionUndo")));
    d.trigger("actionUndo");
    QVERIFY(d.settle());
    QCOMPARE(d.changedBoxes(), std::size_t{0});
    QCOMPARE(d.controller().shown().figures.savedValues, saved);
    QCOMPARE(d.find<QListWidget>("overrides")->count(), 0);
    d.trigger("actionRedo");
    QVERIFY(d.settle());
    QVERIFY(d.changedBoxes() > 0);
    d.trigger("actionBackToCompiled");
    QVERIFY(d.settle());
    QCOMPARE(d.changedBoxes(), std::size_t{0});
    QCOMPARE(d.canvas()->layout(), layout);
}

void TestWindowWhatIf::severalValuesAtOnce() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    d.selectNode("relu");
    const auto& boxes = d.canvas()->layout()->boxes;
    const auto place = [&](const char* name) {
        const auto index = static_cast<std::size_t>(d.canvas()->graph()->indexOf.at(d.joint(name)->id()));
        return d.canvas()->mapFromScene(boxes[index].center());
    };
    QTest::mouseClick(d.canvas()->viewport(), Qt::LeftButton, Qt::ControlModifier, place("addmm"));
    d.trigger("actionSave");
    QVERIFY(d.settle());
    QCOMPARE(d.controller().shown().options.cut.mustSave.size(), std::size_t{2});
    d.trigger("actionLeave");
    QVERIFY(d.settle());
    QVERIFY(d.controller().shown().options.cut.mustSave.empty());
}

void TestWindowWhatIf::severalRowsAtOnce() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    QTableView* view = d.table("valuesTable")->view();
    std::vector<NodeId> chosen;
    for (const char* name : {"relu", "relu_1"}) {
        const NodeId node = d.node(GraphKind::joint, name)->id();
        chosen.push_back(node);
        for (int row = 0; row < view->model()->rowCount(); ++row)
            if (const QModelIndex index = view->model()->index(row, 0);
                index.data(TableModel::NodeRole).toInt() == node) {
                view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);  // as Ctrl+click does
                view->selectionModel()->select(index, QItemSelectionModel::Select | QItemSelectionModel::Rows);
            }
    }
    QCOMPARE(d.markedIn("valuesTable").size(), std::size_t{2});
    QCOMPARE(d.window.selection().node(), chosen.back());
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    QCOMPARE(d.controller().shown().options.cut.mustRecompute, std::set<NodeId>(chosen.begin(), chosen.end()));
    QCOMPARE(d.markedIn("valuesTable").size(), std::size_t{2});
    QVERIFY(view->actions().contains(d.find<QAction>("actionRecompute")));
}

void TestWindowWhatIf::theBudgetSliderSavesLess() {
    WhatIf d;
    QVERIFY(d.openSample("resnet18"));
    const auto before = d.controller().shown().figures;
    auto* slider = d.find<QSlider>("budget");
    for (int value = 95; value >= 30; value -= 5) slider->setValue(value);
    QVERIFY(d.settle());
    QCOMPARE(d.controller().shown().options.memoryBudget, 0.3);
    QVERIFY(d.controller().shown().figures.savedBytes < before.savedBytes);
    QVERIFY(d.controller().shown().figures.recomputedOps > before.recomputedOps);
    QVERIFY(d.answer().contains(u"Computed in"_s));
    d.trigger("actionUndo");  // the whole movement
    QVERIFY(d.settle());
    QCOMPARE(d.controller().shown().options.memoryBudget, 1.0);
    QCOMPARE(d.controller().shown().figures.savedBytes, before.savedBytes);
}

void TestWindowWhatIf::theBudgetSliderStaysUnderThePointer() {
    WhatIf d;
    QVERIFY(d.openSample("resnet18"));
    d.trigger("show-whatIfDock");
    auto* slider = d.find<QSlider>("budget");
    const auto place = [&] { return slider->mapToGlobal(QPoint()); };
    QTRY_VERIFY_WITH_TIMEOUT(slider->isVisible(), kPatience);
    QVERIFY(d.settle());  // docks get their widths
    QCoreApplication::processEvents();
    const QPoint before = place();
    const int y = slider->height() / 2, right = slider->width() - 6;
    QTest::mousePress(slider, Qt::LeftButton, {}, {right, y});
    for (int x = right; x > slider->width() / 3; x -= slider->width() / 6) {
        QTest::mouseMove(slider, {x, y});
        QVERIFY(d.settle());
        QCOMPARE(place(), before);
    }
    QTest::mouseRelease(slider, Qt::LeftButton, {}, {slider->width() / 3, y});
    QVERIFY(d.controller().shown().options.memoryBudget < 1);
    PartitionResult wide = resultOf(d.controller().baseline(), d.controller().shown(), true);
    for (auto& figure : wide.figures) figure.after = figure.difference = u"a very long number of bytes"_s;
    wide.shown = wide.before = QString(200, u'x');
    d.controller().panel()->showAnswer(wide, QStringList(20, u"words that need several lines "_s), 1);
    QCoreApplication::processEvents();
    QCOMPARE(place(), before);
    d.controller().panel()->showProblem(u"short"_s);
    QCoreApplication::processEvents();
    QCOMPARE(place(), before);
}

void TestWindowWhatIf::theBudgetSliderIsReachedByTab() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    QVERIFY(QTest::qWaitForWindowActive(&d.window));
    d.trigger("show-whatIfDock");
    auto* slider = d.find<QSlider>("budget");
    d.find<QComboBox>("whatIfAlgorithm")->setFocus();
    for (int stop = 0; stop < 5 && !slider->hasFocus(); ++stop)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QVERIFY(slider->hasFocus());
    QTest::keyClick(slider, Qt::Key_PageDown);
    QVERIFY(d.settle());
    QCOMPARE(d.controller().shown().options.memoryBudget, 0.9);
    QVERIFY(slider->hasFocus());
}

void TestWindowWhatIf::theResultSaysWhosePartitionItIs() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    QVERIFY2(d.answer().startsWith(u"Compiled partition\n"_s), qPrintable(d.answer()));
    const std::int64_t before = d.controller().shown().figures.savedBytes;
    d.clickNode(d.savedActivation());
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    QVERIFY2(d.answer().startsWith(u"What if: min-cut, 1 override\n"_s), qPrintable(d.answer()));
    QVERIFY2(d.answer().contains(u"Recomputed: 1 (+1)"_s), qPrintable(d.answer()));
    d.trigger("actionBackToCompiled");
    QVERIFY(d.settle());
    QVERIFY(d.answer().startsWith(u"Compiled partition\n"_s));
    QVERIFY(d.answer().contains(u"Saved: %1 (–)"_s.arg(q(formatBytes(before)))));
}

void TestWindowWhatIf::theShownPartitionIsCopiedAsPython() {
    WhatIf d;
    QVERIFY(!d.find<QAction>("actionCopyPython")->isEnabled());
    QVERIFY(d.openSample("mlp"));
    const NodeId node = d.savedActivation();
    d.clickNode(node);
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    d.trigger("actionCopyPython");
    const QString name = q(d.record()->graph(GraphKind::joint)->findById(node)->name());
    const QString text = QApplication::clipboard()->text();
    QVERIFY2(
        text.contains(u"aotscope.partition(\"sample:mlp\", partition=\"min-cut\", recompute=[\"%1\"])"_s.arg(name)),
        qPrintable(text));
}

void TestWindowWhatIf::aRunIsCopiedAsPython() {
    WhatIf d;
    const auto copied = [&](const char* action) {
        d.trigger(action);
        return QApplication::clipboard()->text();
    };
    for (const char* action : {"actionCopyInputsPython", "actionCopyDecompositionsPython", "actionCopyCheckPython"})
        QVERIFY(!d.find<QAction>(action)->isEnabled());
    QVERIFY(d.openSample("mlp"));
    QVERIFY(copied("actionCopyInputsPython").contains(u"x = torch.randn((32, 64))\nargs = (x,)\n"_s));
    QVERIFY(copied("actionCopyDecompositionsPython").startsWith(u"decompositions = {}"_s));
    QVERIFY(!d.find<QAction>("actionCopyCheckPython")->isEnabled());
    d.trigger("actionCheck");
    QVERIFY(d.settle());
    QVERIFY(copied("actionCopyCheckPython").contains(u"report = aotscope.run(\"sample:mlp\""_s));
    QVERIFY(d.table("inputsTable")->view()->actions().contains(d.find<QAction>("actionCopyInputsPython")));
}

void TestWindowWhatIf::valuesOfAWhatIfAreShownAsSuch() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    const NodeId node = d.savedActivation();
    const auto fate = [&] {
        const auto& rows = d.table("valuesTable")->content().rows;
        const auto row = std::ranges::find(rows, node, &TableContent::Row::node);
        return row == rows.end() ? FateMark::neither : row->cells[1].fate.value();
    };
    const QString mark = u"What if: "_s;
    const auto marked = [&] {
        return std::vector<bool>{d.table("valuesTable")->content().summary.startsWith(mark),
                                 d.controller().memory()->note().startsWith(mark), d.inspector().contains(mark),
                                 d.summary().contains(mark)};
    };
    d.clickNode(node);
    QCOMPARE(marked(), std::vector<bool>(4, false));
    QCOMPARE(fate(), FateMark::saved);
    const QString before = d.summary();
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    QCOMPARE(marked(), std::vector<bool>(4, true));
    QCOMPARE(fate(), FateMark::recomputed);
    QCOMPARE(d.markedIn("valuesTable"), std::vector<NodeId>{node});
    QVERIFY(d.inspector().contains(u"What if: recomputed in backward"_s));
    const auto& figures = d.controller().shown().figures;
    QVERIFY(d.summary().contains(u"What if: saved %1 value"_s.arg(figures.savedValues)));
    d.trigger("actionBackToCompiled");
    QVERIFY(d.settle());
    QCOMPARE(marked(), std::vector<bool>(4, false));
    QCOMPARE(fate(), FateMark::saved);
    QCOMPARE(d.summary(), before);
}

void TestWindowWhatIf::answersComeQuickly() {
    WhatIf d;
    QVERIFY(d.openSample("gpt2"));
    const NodeId node = d.savedActivation();
    d.clickNode(node);
    QVERIFY(d.settle());
    for (const char* action : {"actionRecompute", "actionSave", "actionLeave"}) {
        const ProcessorClock clock;
        d.trigger(action);
        QVERIFY(d.settle());
        qInfo("%s on gpt2: %.1f ms", action, d.controller().answerMs());
        QVERIFY2(clock.milliseconds() < 5000, "far from at once");
    }
}

void TestWindowWhatIf::inferenceHasNoWhatIf() {
    WhatIf d;
    d.window.setOptions({.inference = true});
    QVERIFY(d.openSample("mlp"));
    d.clickNode(d.node(GraphKind::inference, "relu")->id());
    QVERIFY(d.why().isEmpty());
    for (const char* action : {"actionSave", "actionKeep", "actionSweep", "actionNetwork"})
        QVERIFY2(!d.find<QAction>(action)->isEnabled(), action);
    QVERIFY(!d.find<QSlider>("budget")->isEnabled());
}

AOTSCOPE_TEST(TestWindowWhatIf)
#include "test_window_what_if.moc"
