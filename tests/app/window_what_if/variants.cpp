// Variants, budgets, the flow network, and training runs in the window.

#include "test_window_what_if.h"
#include "what_if_driver.h"

#include "io/session/session_file.h"
#include "support/scratch.h"
#include "window/options/option_chips.h"

#include <QSlider>

using namespace aotscope;
using namespace aotscope::test;

void TestWindowWhatIf::trainingFillsTheCurves() {
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
    QCOMPARE(panel.note(), u"loss: mean of the squares of output 0"_s);
    QStringList names;
    for (const PlotSeries& series : panel.chart()->plot().series) names << series.name;
    QCOMPARE(names, (QStringList{u"eager"_s, u"compiled"_s}));

    const Scratch scratch;
    for (const char* file : {"curves.svg", "curves.png", "curves.csv", "curves.json"})
        training.exportTo(scratch.at(QString::fromLatin1(file)));
    QVERIFY(contentOf(scratch.at(u"curves.svg"_s)).contains("<svg"));
    QVERIFY(QImage(scratch.at(u"curves.png"_s)).width() > 700);
    QCOMPARE(contentOf(scratch.at(u"curves.csv"_s)).count('\n'), 41);
    QVERIFY(contentOf(scratch.at(u"curves.json"_s)).contains("\"largest_difference\""));
    training.exportTo(scratch.at(u"curves.doc"_s));
    QVERIFY(d.lastProblem().contains(u"expected a name that ends in .svg, .png, .csv or .json"_s));
    QVERIFY(d.openSample("sincos"));
    QVERIFY(panel.chart()->curves().eager.empty());
}

void TestWindowWhatIf::trainingStops() {
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
    QVERIFY2(panel.note().startsWith(u"stopped after "_s), qPrintable(panel.note()));
    QVERIFY(panel.chart()->curves().eager.size() > 3);
    QVERIFY(d.find<QToolButton>("exportTraining")->isEnabled());

    d.find<QToolButton>("startTraining")->click();
    d.trigger("actionCheck");  // the model runs once at a time
    QVERIFY(panel.note().startsWith(u"stopped after "_s));
    QVERIFY(d.settle());
    QVERIFY(d.lastProblem().isEmpty() || !d.lastProblem().contains(u"differ"_s));
}

void TestWindowWhatIf::modelsThatCannotBeTrainedSayWhy() {
    WhatIf d;
    QVERIFY(d.openSample("sincos"));
    d.trigger("actionTrain");
    d.find<QToolButton>("startTraining")->click();
    QVERIFY(d.settle());
    QVERIFY2(d.lastProblem().contains(u"there is nothing to train"_s), qPrintable(d.lastProblem()));
}

void TestWindowWhatIf::graphsForAGpuThatIsNotThere() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    auto* device = d.find<QComboBox>("device");
    QCOMPARE(device->currentText(), u"cpu"_s);
    if (!device->itemData(1, Qt::ToolTipRole).toString().contains(u"simulated"_s)) QSKIP("there is a GPU");
    device->setCurrentIndex(1);
    QVERIFY(d.settle());
    QCOMPARE(q(d.window.session()->options().device), u"cuda:0"_s);
    QCOMPARE(q(d.record()->error), QString());
    QCOMPARE(q(d.joint("relu")->type.tensor()->device.name), u"cuda:0"_s);
    for (const char* action : {"actionCheck", "actionTime", "actionTrain", "actionBisect"}) {
        QVERIFY(!d.find<QAction>(action)->isEnabled());
        QVERIFY(d.find<QAction>(action)->toolTip().contains(u"nothing can run on cuda:0"_s));
    }
    QVERIFY(d.find<QComboBox>("mode")->isEnabled());
    QCOMPARE(d.find<QComboBox>("partition")->count(), 3);  // no "as printed"
    d.find<QSlider>("budget")->setValue(30);
    QVERIFY(d.settle());
    QCOMPARE(d.controller().shown().options.memoryBudget, 0.3);
    device->setCurrentIndex(0);
    QVERIFY(d.settle());
    QVERIFY(d.find<QAction>("actionCheck")->isEnabled());
}

void TestWindowWhatIf::variantsAreKeptComparedMeasuredAndCompiled() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    const NodeId node = d.savedActivation();
    d.clickNode(node);
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    d.controller().variants()->keep(u"less"_s);
    QCOMPARE(d.controller().variants()->list().size(), std::size_t{2});
    QCOMPARE(d.table("runTable")->content().rows[1].cells[0].text, u"less"_s);

    d.controller().variants()->compare(1, 0);
    QVERIFY(d.settle());
    QCOMPARE(d.controller().baseline().name, u"less"_s);
    QCOMPARE(d.controller().shown().name, u"Compiled"_s);
    QVERIFY(d.changedBoxes() > 0);

    d.controller().variants()->measure({1});
    QVERIFY(d.settle());
    QVERIFY(d.controller().variants()->list()[1].measured);
    QVERIFY(d.controller().variants()->list()[1].measured->forwardMs > 0);
    QVERIFY(!d.controller().variants()->list()[0].measured);

    d.table("runTable")->view()->selectRow(1);
    QTest::mouseClick(d.find<QToolButton>("applyVariant"), Qt::LeftButton);
    QVERIFY(d.settle());
    QCOMPARE(d.window.session()->options().partition.recompute, std::vector<std::string>{d.joint(node)->name()});
    const auto& recomputed = d.record()->partition->recomputed;
    QVERIFY(std::any_of(recomputed.begin(), recomputed.end(), [&](const auto& v) { return v.node == node; }));
    d.window.check();
    QVERIFY(d.settle());
    QVERIFY2(d.lastProblem().contains(u"ok"_s) || !d.problemsAreInFront(), qPrintable(d.lastProblem()));
}

void TestWindowWhatIf::aWhatIfIsAppliedAndReset() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    const auto* apply = d.find<QAction>("actionApply");
    QVERIFY(!apply->isEnabled());
    const NodeId node = d.savedActivation();
    d.clickNode(node);
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    QVERIFY(apply->isEnabled());
    const auto& figures = d.controller().shown().figures;
    QCOMPARE(figures.recomputedOps, std::size_t{1});
    const auto ops = d.controller().shown().partition->backward->callCount();
    d.trigger("actionBackToCompiled");
    QVERIFY(d.settle());
    QVERIFY(!apply->isEnabled());
    QCOMPARE(d.controller().shown().figures.recomputedOps, std::size_t{0});

    d.trigger("actionUndo");
    QVERIFY(d.settle());
    d.trigger("actionApply");
    QVERIFY(d.settle());
    QCOMPARE(d.record()->graph(GraphKind::backward)->callCount(), ops);
    // It is another run, with nothing left of the what-if.
    QVERIFY(!apply->isEnabled());
    QVERIFY2(d.answer().startsWith(u"Compiled partition\n"_s), qPrintable(d.answer()));
    QCOMPARE(d.controller().baseline().name, u"Compiled"_s);
    QCOMPARE(d.changedBoxes(), 0);
    QVERIFY(!d.summary().contains(u"What if"_s));
    QCOMPARE(d.find<QListWidget>("overrides")->count(), 1);
    // And back again: to the previous run, which shows the what-if; then that is undone, too.
    d.trigger("actionUndo");
    QVERIFY(d.settle());
    QVERIFY(d.record()->partition->recomputed.empty());
    QCOMPARE(d.controller().shown().figures.recomputedOps, std::size_t{1});
    QVERIFY(apply->isEnabled());
    d.trigger("actionRedo");
    QVERIFY(d.settle());
    QCOMPARE(d.record()->graph(GraphKind::backward)->callCount(), ops);
}

void TestWindowWhatIf::variantsStayWhenOnlyThePartitionChanges() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    d.clickNode(d.savedActivation());
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    d.controller().variants()->keep(u"less"_s);
    d.choosePartition(PartitionAlgorithm::defaultPartition);
    QVERIFY(d.settle());
    QCOMPARE(d.controller().variants()->list().size(), std::size_t{2});
    QCOMPARE(d.controller().variants()->list()[1].name, u"less"_s);
    QCOMPARE(d.controller().baseline().name, u"Compiled"_s);  // the what-if was not applied
    QVERIFY(d.openSample("sincos"));
    QCOMPARE(d.controller().variants()->list().size(), std::size_t{1});
}

namespace {

QStringList chipsOf(const WhatIf& d) {
    QStringList texts;
    for (const auto* chip : d.window.findChildren<OptionChip*>())
        if (chip->isVisible()) texts << chip->focusProxy()->accessibleName();
    return texts;
}

}  // namespace

void TestWindowWhatIf::appliedOverridesAreChips() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    const NodeId node = d.savedActivation();
    const auto chips = [&] { return chipsOf(d); };
    d.clickNode(node);
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    d.find<QSlider>("budget")->setValue(50);
    QVERIFY(d.settle());
    QVERIFY(chips().isEmpty());
    d.trigger("actionApply");
    QVERIFY(d.settle());
    const QString name = q(d.joint(node)->name());
    QCOMPARE(chips(), (QStringList{u"memory budget: 0.5"_s, u"always recompute: "_s + name}));
    for (auto* chip : d.window.findChildren<OptionChip*>())
        if (chip->focusProxy()->accessibleName().endsWith(name)) Q_EMIT chip->removed();
    QVERIFY(d.settle());
    QCOMPARE(chips(), QStringList{u"memory budget: 0.5"_s});
    QVERIFY(d.window.session()->options().partition.recompute.empty());
    QCOMPARE(d.find<QListWidget>("overrides")->count(), 0);
    // Another model gets neither them nor the budget.
    d.clickNode(node);
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    d.trigger("actionApply");
    QVERIFY(d.settle());
    QVERIFY(d.openSample("sincos"));
    QCOMPARE(q(d.record()->error), QString());
    QCOMPARE(chips(), QStringList());
}

/// Version 0.1 saved them by id.
void TestWindowWhatIf::overridesOfEarlierSessionsAreChips() {
    const Scratch scratch;
    SessionContent content = Session::open({.model = "sample:mlp"}, {})->content();
    const Node& relu = *content.record->graph(GraphKind::joint)->findByName("relu");
    content.options.partition.cut.mustRecompute = {relu.id()};
    const QString file = scratch.at(u"earlier.aotscope"_s);
    writeSessionFile(file.toStdString(), content);
    WhatIf d;
    QVERIFY(d.open(file));
    QCOMPARE(chipsOf(d), QStringList{u"always recompute: relu"_s});
    QCOMPARE(d.find<QListWidget>("overrides")->count(), 1);
    for (auto* chip : d.window.findChildren<OptionChip*>())
        if (chip->isVisible()) Q_EMIT chip->removed();
    QVERIFY(d.settle());
    QVERIFY(chipsOf(d).isEmpty());
    QCOMPARE(d.find<QListWidget>("overrides")->count(), 0);
}

void TestWindowWhatIf::budgetsMakeAChartWhosePointsAreVariants() {
    WhatIf d;
    QVERIFY(d.openSample("resnet18"));
    d.trigger("show-pareto");
    Q_EMIT d.controller().variants()->pareto()->sweepRequested();
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

void TestWindowWhatIf::aPlanHoldsTheLimitOfTheSlider() {
    WhatIf d;
    d.window.setOptions({.partition = {.planSeconds = 1}});
    QVERIFY(d.openSample("sincos"));
    auto* algorithm = d.find<QComboBox>("whatIfAlgorithm");
    algorithm->setCurrentIndex(algorithm->findText(u"plan"_s));
    QVERIFY(d.settle());
    QCOMPARE(d.controller().shown().options.peak, std::string("0.7"));
    d.find<QSlider>("budget")->setValue(80);
    QVERIFY(d.settle());
    const Variant& shown = d.controller().shown();
    QCOMPARE(shown.options.peak, std::string("0.8"));
    QVERIFY(shown.partition->plan);
    const PeakPlan& plan = *shown.partition->plan;
    QCOMPARE(shown.figures.peakBytes, plan.peakBytes);
    QVERIFY(plan.status == PeakPlan::Status::infeasible || plan.peakBytes <= plan.limitBytes);
    QString text = q(planText(plan));
    text[0] = text[0].toUpper();
    QVERIFY2(d.answer().contains(text), qPrintable(d.answer()));
    // Back to min-cut: the slider is the memory budget again.
    algorithm->setCurrentIndex(algorithm->findText(u"min-cut"_s));
    QVERIFY(d.settle());
    QCOMPARE(d.find<QSlider>("budget")->value(), 100);
    QCOMPARE(d.controller().shown().options.memoryBudget, 1.0);
}

void TestWindowWhatIf::theNetworkIsATab() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    d.trigger("actionNetwork");
    QVERIFY(d.settle());
    QVERIFY(d.pane()->showsNetwork());
    QVERIFY(d.canvas()->graph()->network);
    d.selectNode("relu");
    QVERIFY(d.settle());
    QVERIFY(d.why().contains(u"%relu"_s));
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    QVERIFY(d.canvas()->graph()->network);
    d.chooseTab(GraphKind::joint);
    QVERIFY(d.settle());
    QVERIFY(!d.canvas()->graph()->network);
    QVERIFY(d.changedBoxes() > 0);
}
