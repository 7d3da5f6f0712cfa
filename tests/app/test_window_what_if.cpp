// What-if in the window: explanations, overrides with undo, variants, memory against time.

#include "app/window_driver.h"
#include "support/processor_clock.h"
#include "support/scratch.h"

#include <QSlider>

#include <cmath>

using namespace aotscope;
using namespace aotscope::test;

namespace {

struct WhatIf : Driver {
    WhatIfController& controller() const { return *window.whatIf(); }
    QString why() const { return controller().why()->text(); }
    const Node* joint(const char* name) const { return node(GraphKind::joint, name); }
    void selectNode(const char* name) const { clickNode(joint(name)->id()); }
    const DrawnNode& box(const char* name) const {
        const DrawnGraph& drawn = *canvas()->graph();
        return drawn.nodes[static_cast<std::size_t>(drawn.indexOf.at(joint(name)->id()))];
    }
    std::size_t changedBoxes() const {
        const auto& nodes = canvas()->graph()->nodes;
        return static_cast<std::size_t>(
            std::count_if(nodes.begin(), nodes.end(), [](const DrawnNode& n) { return !n.change.isEmpty(); }));
    }
    /// An activation that the partition saves.
    NodeId savedActivation() const {
        for (const auto& value : record()->partition->saved)
            if (value.kind == SavedValue::Kind::activation && canvas()->graph()->indexOf.contains(value.node) &&
                record()->graph(GraphKind::joint)->findById(value.node)->kind() == NodeKind::call)
                return value.node;
        return kNoNode;
    }
};

}  // namespace

class TestWindowWhatIf : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }
    void init() { isolation_.forget(); }

    void whyFollowsTheSelection() {
        WhatIf d;
        QVERIFY(!d.find<QAction>("actionKeep")->isEnabled());
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.why().contains(QStringLiteral("Select a value")));
        d.selectNode("addmm");
        QVERIFY(d.settle());
        QVERIFY(d.why().contains(QStringLiteral("%addmm")));
        QVERIFY(d.why().contains(QStringLiteral("The rules in order")));
        QVERIFY(d.why().contains(QStringLiteral("Cost of the other choice")));
        QVERIFY(d.find<QAction>("actionRecompute")->isEnabled());
    }

    void linksOfWhyMoveTheSelection() {
        WhatIf d;
        QVERIFY(d.openSample("sincos"));
        const NodeId again = d.record()->partition->recomputed.at(0).node;
        d.clickNode(again);
        QVERIFY(d.settle());
        const NodeId other = d.record()->graph(GraphKind::joint)->findById(again)->inputs()[0]->id();
        Q_EMIT d.controller().why()->nodeSelected(other);
        QVERIFY(d.settle());
        QVERIFY(d.why().contains(q(d.record()->graph(GraphKind::joint)->findById(other)->name())));
    }

    void anOverrideChangesThePictureAndIsUndone() {
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
        QCOMPARE(d.find<QListWidget>("wishes")->count(), 1);
        QVERIFY(d.why().startsWith(QStringLiteral("Recomputed")));
        QVERIFY(d.controller().answerMs() > 0);

        d.trigger("actionUndo");
        QVERIFY(d.settle());
        QCOMPARE(d.changedBoxes(), std::size_t{0});
        QCOMPARE(d.controller().shown().figures.savedValues, saved);
        QCOMPARE(d.find<QListWidget>("wishes")->count(), 0);
        d.trigger("actionRedo");
        QVERIFY(d.settle());
        QVERIFY(d.changedBoxes() > 0);
        d.trigger("actionBackToCompiled");
        QVERIFY(d.settle());
        QCOMPARE(d.changedBoxes(), std::size_t{0});
        QCOMPARE(d.canvas()->layout(), layout);
    }

    void severalValuesAtOnce() {
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

    void theBudgetSliderSavesLess() {
        WhatIf d;
        QVERIFY(d.openSample("resnet18"));
        const auto before = d.controller().shown().figures;
        auto* slider = d.find<QSlider>("budget");
        for (int value = 95; value >= 30; value -= 5) slider->setValue(value);
        QVERIFY(d.settle());
        QCOMPARE(d.controller().shown().options.memoryBudget, 0.3);
        QVERIFY(d.controller().shown().figures.savedBytes < before.savedBytes);
        QVERIFY(d.controller().shown().figures.recomputedValues > before.recomputedValues);
        QVERIFY(d.find<QLabel>("whatIfAnswer")->text().contains(QStringLiteral("computed in")));
        d.trigger("actionUndo");  // the whole movement
        QVERIFY(d.settle());
        QCOMPARE(d.controller().shown().options.memoryBudget, 1.0);
        QCOMPARE(d.controller().shown().figures.savedBytes, before.savedBytes);
    }

    void trainingFillsTheCurves() {
        WhatIf d;
        QVERIFY(!d.find<QAction>("actionTrain")->isEnabled());
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionTrain");
        TrainController& training = *d.window.training();
        TrainPanel& panel = *training.panel();
        QVERIFY(panel.isVisible());
        QVERIFY(!d.find<QToolButton>("exportTraining")->isEnabled());
        panel.setSteps(40);
        d.find<QToolButton>("startTraining")->click();
        QVERIFY(d.settle());
        QCOMPARE(training.result().steps.size(), std::size_t(40));
        QCOMPARE(panel.chart()->curves().eager.size(), std::size_t(40));
        QCOMPARE(panel.chart()->curves().compiled.size(), std::size_t(40));
        QCOMPARE(panel.figures()->content().rows.size(), std::size_t(2));
        QCOMPARE(panel.note(), QStringLiteral("loss: mean of the squares of output 0"));
        QStringList names;
        for (const PlotSeries& series : panel.chart()->plot().series) names << series.name;
        QCOMPARE(names, (QStringList{QStringLiteral("eager"), QStringLiteral("compiled")}));

        const Scratch scratch;
        for (const char* file : {"curves.svg", "curves.png", "curves.csv", "curves.json"})
            training.exportTo(scratch.at(QString::fromLatin1(file)));
        QVERIFY(contentOf(scratch.at(QStringLiteral("curves.svg"))).contains("<svg"));
        QVERIFY(QImage(scratch.at(QStringLiteral("curves.png"))).width() > 700);
        QCOMPARE(contentOf(scratch.at(QStringLiteral("curves.csv"))).count('\n'), 41);
        QVERIFY(contentOf(scratch.at(QStringLiteral("curves.json"))).contains("\"largest_difference\""));
        training.exportTo(scratch.at(QStringLiteral("curves.doc")));
        QVERIFY(d.lastProblem().contains(QStringLiteral("the ending .svg, .png, .csv or .json is expected")));
        QVERIFY(d.openSample("sincos"));
        QVERIFY(panel.chart()->curves().eager.empty());
    }

    void trainingStops() {
        WhatIf d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionTrain");
        TrainPanel& panel = *d.window.training()->panel();
        panel.setSteps(100'000'000);
        d.find<QToolButton>("startTraining")->click();
        QVERIFY(!d.find<QSpinBox>("trainSteps")->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(panel.chart()->curves().eager.size() > 3, kPatience);
        d.find<QToolButton>("stopTraining")->click();
        QVERIFY(d.settle());
        QVERIFY2(panel.note().startsWith(QStringLiteral("stopped after ")), qPrintable(panel.note()));
        QVERIFY(panel.chart()->curves().eager.size() > 3);
        QVERIFY(d.find<QToolButton>("exportTraining")->isEnabled());

        d.find<QToolButton>("startTraining")->click();
        d.trigger("actionCheck");  // the model runs once at a time
        QVERIFY(panel.note().startsWith(QStringLiteral("stopped after ")));
        QVERIFY(d.settle());
        QVERIFY(d.lastProblem().isEmpty() || !d.lastProblem().contains(QStringLiteral("differ")));
    }

    void modelsThatCannotBeTrainedSayWhy() {
        WhatIf d;
        QVERIFY(d.openSample("sincos"));
        d.trigger("actionTrain");
        d.find<QToolButton>("startTraining")->click();
        QVERIFY(d.settle());
        QVERIFY2(d.lastProblem().contains(QStringLiteral("there is nothing to train")), qPrintable(d.lastProblem()));
    }

    void graphsForAGpuThatIsNotThere() {
        WhatIf d;
        QVERIFY(d.openSample("mlp"));
        auto* device = d.find<QComboBox>("device");
        QCOMPARE(device->currentText(), QStringLiteral("cpu"));
        if (!device->itemData(1, Qt::ToolTipRole).toString().contains(QStringLiteral("assumed")))
            QSKIP("there is a GPU");
        device->setCurrentIndex(1);
        QVERIFY(d.settle());
        QCOMPARE(q(d.window.session()->options().device), QStringLiteral("cuda:0"));
        QCOMPARE(q(d.record()->error), QString());
        QCOMPARE(q(d.joint("relu")->type.tensor()->device.name), QStringLiteral("cuda:0"));
        for (const char* action : {"actionCheck", "actionTime", "actionTrain", "actionBisect"}) {
            QVERIFY(!d.find<QAction>(action)->isEnabled());
            QVERIFY(d.find<QAction>(action)->toolTip().contains(QStringLiteral("nothing can run on cuda:0")));
        }
        QVERIFY(d.find<QComboBox>("mode")->isEnabled());
        QCOMPARE(d.find<QComboBox>("partition")->count(), 2);  // no "as printed"
        d.find<QSlider>("budget")->setValue(30);
        QVERIFY(d.settle());
        QCOMPARE(d.controller().shown().options.memoryBudget, 0.3);
        device->setCurrentIndex(0);
        QVERIFY(d.settle());
        QVERIFY(d.find<QAction>("actionCheck")->isEnabled());
    }

    void answersComeQuickly() {
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

    void variantsAreKeptComparedMeasuredAndCompiled() {
        WhatIf d;
        QVERIFY(d.openSample("mlp"));
        const NodeId node = d.savedActivation();
        d.clickNode(node);
        d.trigger("actionRecompute");
        QVERIFY(d.settle());
        d.controller().variants()->keep(QStringLiteral("less"));
        QCOMPARE(d.controller().variants()->list().size(), std::size_t{2});
        QCOMPARE(d.table("variantTable")->content().rows[1].cells[0].text, QStringLiteral("less"));

        Q_EMIT d.controller().variants()->panel()->compareRequested(1, 0);
        QVERIFY(d.settle());
        QCOMPARE(d.controller().baseline().name, QStringLiteral("less"));
        QCOMPARE(d.controller().shown().name, QStringLiteral("compiled"));
        QVERIFY(d.changedBoxes() > 0);

        d.controller().variants()->measure({1});
        QVERIFY(d.settle());
        QVERIFY(d.controller().variants()->list()[1].measured);
        QVERIFY(d.controller().variants()->list()[1].measured->forwardMs > 0);
        QVERIFY(!d.controller().variants()->list()[0].measured);

        d.table("variantTable")->view()->selectRow(1);
        QTest::mouseClick(d.find<QToolButton>("activateVariant"), Qt::LeftButton);
        QVERIFY(d.settle());
        QVERIFY(d.window.session()->options().partition.cut.mustRecompute.contains(node));
        const auto& recomputed = d.record()->partition->recomputed;
        QVERIFY(std::any_of(recomputed.begin(), recomputed.end(), [&](const auto& v) { return v.node == node; }));
        d.window.check();
        QVERIFY(d.settle());
        QVERIFY2(d.lastProblem().contains(QStringLiteral("ok")) || !d.problemsAreInFront(),
                 qPrintable(d.lastProblem()));
    }

    void budgetsMakeAChartWhosePointsAreVariants() {
        WhatIf d;
        QVERIFY(d.openSample("resnet18"));
        d.find<QTabWidget>("tables")->setCurrentWidget(d.controller().variants()->pareto());
        Q_EMIT d.controller().variants()->sweepRequested();
        QVERIFY(d.settle());
        const auto& marks = d.controller().variants()->pareto()->chart()->marks();
        QVERIFY(marks.size() > 5);
        std::size_t least = 0;
        for (std::size_t i = 0; i < marks.size(); ++i)
            if (marks[i].megabytes < marks[least].megabytes) least = i;
        const double megabytes = marks[least].megabytes;
        Q_EMIT d.controller().variants()->pareto()->chart()->markChosen(static_cast<int>(least));
        QVERIFY(d.settle());
        QCOMPARE(static_cast<double>(d.controller().shown().figures.savedBytes) / 1e6, megabytes);
        QVERIFY(d.changedBoxes() > 0);
    }

    void theNetworkIsATab() {
        WhatIf d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionNetwork");
        QVERIFY(d.settle());
        QVERIFY(d.pane()->showsNetwork());
        QVERIFY(d.canvas()->graph()->network);
        d.selectNode("relu");
        QVERIFY(d.settle());
        QVERIFY(d.why().contains(QStringLiteral("%relu")));
        d.trigger("actionRecompute");
        QVERIFY(d.settle());
        QVERIFY(d.canvas()->graph()->network);
        d.chooseTab(GraphKind::joint);
        QVERIFY(d.settle());
        QVERIFY(!d.canvas()->graph()->network);
        QVERIFY(d.changedBoxes() > 0);
    }

    // --- decompositions and levels ---

    void decompositionsAreChosenInTheBar() {
        WhatIf d;
        QVERIFY(d.openSample("gpt2-tiny"));
        QVERIFY(d.table("decompositionRules")->content().rows.empty());
        const std::size_t plain = d.record()->graph(GraphKind::joint)->callCount();
        auto* box = d.find<QComboBox>("decompose");
        const int item = box->findData(QStringLiteral("inductor"));
        QVERIFY(item > 0);
        box->setCurrentIndex(item);
        Q_EMIT box->activated(item);
        QVERIFY(d.settle());
        QVERIFY(d.record()->graph(GraphKind::joint)->callCount() != plain);
        QVERIFY(!d.record()->rewrites.empty());
        QCOMPARE(d.table("rewriteTable")->content().rows.size(), d.record()->rewrites.size());
        qint64 used = 0;
        for (const auto& row : d.table("decompositionRules")->content().rows) used += row.cells[0].sortKey.toLongLong();
        QCOMPARE(static_cast<std::size_t>(used), d.record()->rewrites.size());
        const auto& rows = d.table("rewriteTable")->content().rows;
        const auto row = std::find_if(rows.begin(), rows.end(), [](const auto& r) { return r.node != kNoNode; });
        QVERIFY(row != rows.end());
        d.chooseRowOf("rewriteTable", row->node);
        QVERIFY(d.settle());
        QVERIFY(d.canvas()->selectedNode() != kNoNode);
    }

    void aCustomTable() {
        WhatIf d;
        QVERIFY(d.openSample("mlp"));
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("own.json"));
        QFile own(file);
        QVERIFY(own.open(QIODevice::WriteOnly));
        own.write(R"({"base": "core-aten", "ops": {"aten.threshold_backward.default": "keep"}})");
        own.close();
        d.window.findChild<OptionsBar*>()->takeDecompositions(file);
        QVERIFY(d.settle());
        QVERIFY(d.window.session()->options().decompositions);
        QVERIFY(!d.table("decompositionRules")->content().rows.empty());
        QVERIFY_EXCEPTION_THROWN(
            d.window.findChild<OptionsBar*>()->takeDecompositions(folder.filePath(QStringLiteral("none.json"))), Error);
    }

    void levelsAreShownSideBySide() {
        WhatIf d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(!d.window.secondaryGraph()->pane()->isVisible());
        d.find<QAction>("actionBeside")->trigger();
        QVERIFY(d.settle());
        GraphPane* beside = d.window.secondaryGraph()->pane();
        QVERIFY(beside->isVisible());
        QCOMPARE(beside->kind(), GraphKind::source);
        beside->showKind(GraphKind::functional);
        QVERIFY(d.settle());
        const Node* relu = d.node(GraphKind::functional, "relu");
        d.selectNode("relu");
        QVERIFY(d.settle());
        QCOMPARE(beside->view()->selectedNode(), relu->id());
        // An operation of the forward stands for itself and its derivative in the joint graph.
        Q_EMIT beside->nodeSelected(d.node(GraphKind::functional, "addmm")->id());
        QVERIFY(d.settle());
        QCOMPARE(d.canvas()->selectedNode(), d.joint("addmm")->id());
    }

    void bothPicturesMoveTogether() {
        WhatIf d;
        QVERIFY(d.openSample("gpt2-tiny"));
        d.trigger("actionBeside");
        QVERIFY(d.settle());
        d.window.secondaryGraph()->pane()->showKind(GraphKind::functional);
        QVERIFY(d.settle());
        GraphView *here = d.canvas(), *there = d.window.secondaryGraph()->pane()->view();
        const auto first = d.record()->graph(GraphKind::functional)->findByName("gelu");
        QVERIFY(first);
        Q_EMIT d.window.secondaryGraph()->pane()->nodeSelected(first->id());
        QVERIFY(d.settle());
        const NodeId counterpart = here->selectedNode();
        const auto centreOf = [](const GraphView& view, NodeId node) {
            return view.layout()->boxes[static_cast<std::size_t>(view.graph()->indexOf.at(node))].center();
        };
        const auto onScreen = [&](const GraphView& view, NodeId node) {
            return view.viewportTransform().map(centreOf(view, node)) - QPointF(view.viewport()->rect().center());
        };
        // Far enough from the edges of both pictures.
        here->goTo({centreOf(*here, counterpart), 3});
        QTRY_COMPARE_WITH_TIMEOUT(there->position().zoom, 3.0, kPatience);
        QVERIFY(onScreen(*here, counterpart).manhattanLength() < 4);
        QTRY_VERIFY_WITH_TIMEOUT(onScreen(*there, first->id()).manhattanLength() < 4, kPatience);
        // Moving one side moves the other.
        there->goTo({centreOf(*there, first->id()) + QPointF(10, 20), 2});
        QTRY_COMPARE_WITH_TIMEOUT(here->position().zoom, 2.0, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT((onScreen(*here, counterpart) - onScreen(*there, first->id())).manhattanLength() < 4,
                                 kPatience);
        QVERIFY((onScreen(*there, first->id()) - QPointF(-20, -40)).manhattanLength() < 4);
        // Only while the cameras are linked.
        QVERIFY(d.find<QAction>("actionLinkCameras")->isChecked());
        d.trigger("actionLinkCameras");
        here->goTo({centreOf(*here, counterpart), 4});
        QTest::qWait(100);
        QCOMPARE(there->position().zoom, 2.0);
        d.trigger("actionLinkCameras");
        QTRY_COMPARE_WITH_TIMEOUT(there->position().zoom, 4.0, kPatience);
    }

    /// Without corresponding nodes, the same part of both pictures is shown.
    void picturesOfOtherModelsMoveTogether() {
        WhatIf d;
        QVERIFY(d.openSample("resnet18"));
        d.window.compare()->compareWith(QStringLiteral("sample:gpt2-tiny"));
        QVERIFY(d.settle());
        GraphView *here = d.canvas(), *there = d.window.secondaryGraph()->pane()->view();
        const auto part = [](const GraphView& view) {
            const QRectF& bounds = view.layout()->bounds;
            return (view.position().centre.y() - bounds.top()) / bounds.height();
        };
        for (const double wanted : {0.3, 0.6}) {
            const QRectF& bounds = here->layout()->bounds;
            here->goTo({{bounds.center().x(), bounds.top() + wanted * bounds.height()}, 1});
            QTRY_VERIFY2_WITH_TIMEOUT(qAbs(part(*there) - wanted) < 0.02, qPrintable(QString::number(part(*there))),
                                      kPatience);
        }
    }

    void lowerLevelsAreMadeWhenAskedFor() {
        WhatIf d;
        QVERIFY(d.openSample("mlp"));
        d.find<QAction>("actionBeside")->trigger();
        QVERIFY(d.settle());
        GraphPane* beside = d.window.secondaryGraph()->pane();
        auto* tabs = beside->findChild<QTabBar*>();
        const auto choose = [&](const QString& title) {
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->tabText(i) == title) tabs->setCurrentIndex(i);
            return d.settle() && tabs->tabText(tabs->currentIndex()) == title;
        };
        QVERIFY(choose(QStringLiteral("Prims")));
        const auto has = [&](const char* op) {
            const auto nodes = beside->graph()->nodes();
            return std::any_of(nodes.begin(), nodes.end(), [&](const Node* n) { return n->isCall(op); });
        };
        QVERIFY(has("prims.transpose.default"));
        QVERIFY(choose(QStringLiteral("Core ATen")));
        QVERIFY(has("aten.permute.default"));
        // One operation is several there, each of which leads back to it.
        const auto joint = d.record()->graph(GraphKind::joint)->nodes();
        const auto mask = std::find_if(joint.begin(), joint.end(),
                                       [](const Node* n) { return n->isCall("aten.threshold_backward.default"); });
        QVERIFY(mask != joint.end());
        d.clickNode((*mask)->id());
        QVERIFY(d.settle());
        const Node* first = beside->graph()->findById(beside->view()->selectedNode());
        QVERIFY(first);
        QCOMPARE(q(first->op()), QStringLiteral("aten.le.Scalar"));
        Q_EMIT beside->nodeSelected(first->id());
        QVERIFY(d.settle());
        QCOMPARE(d.canvas()->selectedNode(), (*mask)->id());
    }

    // --- comparing runs ---

    void anotherModelIsShownNextToIt() {
        WhatIf d;
        QVERIFY(d.openSample("mlp"));
        d.window.compare()->compareWith(QStringLiteral("sample:sincos"));
        QVERIFY(d.settle());
        QVERIFY(d.find<QAction>("actionBeside")->isChecked());
        QCOMPARE(d.window.secondaryGraph()->pane()->kind(), GraphKind::joint);
        const auto there = d.window.secondaryGraph()->pane()->graph()->nodes();
        QVERIFY(std::any_of(there.begin(), there.end(), [](const Node* n) { return n->isCall("aten.sin.default"); }));
        const auto& rows = d.table("comparedRuns")->content().rows;
        QVERIFY(std::any_of(rows.begin(), rows.end(), [](const auto& row) {
            return row.cells[0].text.contains(QStringLiteral("aten.sin.default"));
        }));
        d.trigger("actionStopComparing");
        QVERIFY(d.settle());
        QVERIFY(!d.find<QAction>("actionBeside")->isChecked());
        QVERIFY(!d.window.secondaryGraph()->pane()->isVisible());
        QVERIFY(d.table("comparedRuns")->content().rows.empty());
    }

    void aKeptRunIsComparedWithLaterOnes() {
        WhatIf d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionKeepRun");
        QVERIFY(d.settle());
        QVERIFY(d.table("comparedRuns")->content().summary.contains(QStringLiteral("same operations")));
        auto* box = d.find<QComboBox>("decompose");
        const int item = box->findData(QStringLiteral("core-aten"));
        box->setCurrentIndex(item);
        Q_EMIT box->activated(item);
        QVERIFY(d.settle());
        const TableContent& runs = d.table("comparedRuns")->content();
        QVERIFY(std::any_of(runs.rows.begin(), runs.rows.end(), [](const auto& row) {
            return row.cells[0].text == QLatin1String("joint: aten.permute.default") &&
                   row.cells[1].sortKey.toInt() > 0 && row.cells[2].sortKey.toInt() == 0;
        }));
        // Both have this matrix product; only its name may differ.
        d.selectNode("addmm");
        QVERIFY(d.settle());
        const auto& other = d.window.secondaryGraph()->pane();
        QCOMPARE(q(other->graph()->findById(other->view()->selectedNode())->op()),
                 QStringLiteral("aten.addmm.default"));
        const TableContent& nodes = d.table("comparedNodes")->content();
        QVERIFY(!nodes.rows.empty());
        for (const auto& row : nodes.rows) {
            const bool same = row.cells[2].text == row.cells[3].text;
            QCOMPARE(row.cells[0].text.isEmpty(), same);
            if (row.cells[1].text == QLatin1String("type")) QVERIFY(same);
        }
    }

    void twoRunsAreTimedInterleaved() {
        WhatIf d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(!d.find<QAction>("actionTimeBoth")->isEnabled());
        d.trigger("actionKeepRun");
        QVERIFY(d.settle());
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        QVERIFY(d.find<QAction>("actionTimeBoth")->isEnabled());
        d.trigger("actionTimeBoth");
        QVERIFY(d.settle());
        QVERIFY(d.window.compare()->timing());
        const auto& runs = d.table("comparedRuns")->content();
        const auto& step = runs.rows[2];
        QVERIFY(step.cells[0].text.startsWith(QStringLiteral("step ms")));
        QVERIFY2(step.cells[3].text.contains(QStringLiteral(" to ")), qPrintable(step.cells[3].text));
        QCOMPARE(step.cells[3].sortKey.toDouble(), d.window.compare()->timing()->step.ratio.median);
        d.trigger("actionStopComparing");
        QVERIFY(!d.window.compare()->timing() && !d.find<QAction>("actionTimeBoth")->isEnabled());
    }

    void unreadableModelsAreNotCompared() {
        WhatIf d;
        QVERIFY(d.openSample("mlp"));
        d.window.compare()->compareWith(QStringLiteral("/nowhere/model.pt2"));
        QVERIFY(d.settle());
        QVERIFY(d.lastProblem().contains(QStringLiteral("/nowhere/model.pt2")));
        QVERIFY(!d.window.compare()->comparing());
        QCOMPARE(d.modelName(), QStringLiteral("mlp"));
    }

    void inferenceHasNoWhatIf() {
        WhatIf d;
        Options options;
        options.inference = true;
        d.window.setOptions(options);
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.why().contains(QStringLiteral("no partition")));
        for (const char* action : {"actionSave", "actionKeep", "actionSweep", "actionNetwork"})
            QVERIFY2(!d.find<QAction>(action)->isEnabled(), action);
        QVERIFY(!d.find<QSlider>("budget")->isEnabled());
    }
};

QTEST_MAIN(TestWindowWhatIf)
#include "test_window_what_if.moc"
