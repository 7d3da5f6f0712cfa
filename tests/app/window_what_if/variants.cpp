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
    QVERIFY(d.lastProblem().contains(QStringLiteral("expected a name that ends in .svg, .png, .csv or .json")));
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
    QVERIFY2(panel.note().startsWith(QStringLiteral("stopped after ")), qPrintable(panel.note()));
    QVERIFY(panel.chart()->curves().eager.size() > 3);
    QVERIFY(d.find<QToolButton>("exportTraining")->isEnabled());

    d.find<QToolButton>("startTraining")->click();
    d.trigger("actionCheck");  // the model runs once at a time
    QVERIFY(panel.note().startsWith(QStringLiteral("stopped after ")));
    QVERIFY(d.settle());
    QVERIFY(d.lastProblem().isEmpty() || !d.lastProblem().contains(QStringLiteral("differ")));
}

void TestWindowWhatIf::modelsThatCannotBeTrainedSayWhy() {
    WhatIf d;
    QVERIFY(d.openSample("sincos"));
    d.trigger("actionTrain");
    d.find<QToolButton>("startTraining")->click();
    QVERIFY(d.settle());
    QVERIFY2(d.lastProblem().contains(QStringLiteral("there is nothing to train")), qPrintable(d.lastProblem()));
}

void TestWindowWhatIf::graphsForAGpuThatIsNotThere() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    auto* device = d.find<QComboBox>("device");
    QCOMPARE(device->currentText(), QStringLiteral("cpu"));
    if (!device->itemData(1, Qt::ToolTipRole).toString().contains(QStringLiteral("simulated"))) QSKIP("there is a GPU");
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
    d.controller().variants()->keep(QStringLiteral("less"));
    QCOMPARE(d.controller().variants()->list().size(), std::size_t{2});
    QCOMPARE(d.table("variantTable")->content().rows[1].cells[0].text, QStringLiteral("less"));

    Q_EMIT d.controller().variants()->panel()->compareRequested(1, 0);
    QVERIFY(d.settle());
    QCOMPARE(d.controller().baseline().name, QStringLiteral("less"));
    QCOMPARE(d.controller().shown().name, QStringLiteral("Compiled"));
    QVERIFY(d.changedBoxes() > 0);

    d.controller().variants()->measure({1});
    QVERIFY(d.settle());
    QVERIFY(d.controller().variants()->list()[1].measured);
    QVERIFY(d.controller().variants()->list()[1].measured->forwardMs > 0);
    QVERIFY(!d.controller().variants()->list()[0].measured);

    d.table("variantTable")->view()->selectRow(1);
    QTest::mouseClick(d.find<QToolButton>("activateVariant"), Qt::LeftButton);
    QVERIFY(d.settle());
    QCOMPARE(d.window.session()->options().partition.recompute, std::vector<std::string>{d.joint(node)->name()});
    const auto& recomputed = d.record()->partition->recomputed;
    QVERIFY(std::any_of(recomputed.begin(), recomputed.end(), [&](const auto& v) { return v.node == node; }));
    d.window.check();
    QVERIFY(d.settle());
    QVERIFY2(d.lastProblem().contains(QStringLiteral("ok")) || !d.problemsAreInFront(), qPrintable(d.lastProblem()));
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
    const auto ops = figures.backwardOps;
    d.trigger("actionBackToCompiled");
    QVERIFY(d.settle());
    QVERIFY(!apply->isEnabled());
    QCOMPARE(d.controller().shown().figures.recomputedOps, std::size_t{0});

    d.trigger("actionUndo");
    QVERIFY(d.settle());
    d.trigger("actionApply");
    QVERIFY(d.settle());
    QCOMPARE(d.record()->graph(GraphKind::backward)->callCount(), ops);
    // Its result stays, now as what is compiled, beside what was compiled before.
    QVERIFY(!apply->isEnabled());
    QVERIFY2(d.answer().startsWith(QStringLiteral("Compiled partition\n")), qPrintable(d.answer()));
    QVERIFY2(d.answer().contains(QStringLiteral("Recomputed: 1 (+1)")), qPrintable(d.answer()));
    QCOMPARE(d.controller().baseline().name, QStringLiteral("previous"));
    QCOMPARE(d.controller().baseline().figures.recomputedOps, std::size_t{0});
    QVERIFY(!d.summary().contains(QStringLiteral("What if")));
    QCOMPARE(d.find<QListWidget>("overrides")->count(), 1);
    // And back again.
    Q_EMIT d.controller().variants()->activated(d.controller().baseline().options);
    QVERIFY(d.settle());
    QVERIFY(d.record()->partition->recomputed.empty());
    QCOMPARE(d.controller().baseline().name, QStringLiteral("Compiled"));
}

void TestWindowWhatIf::variantsStayWhenOnlyThePartitionChanges() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    d.clickNode(d.savedActivation());
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    d.controller().variants()->keep(QStringLiteral("less"));
    d.choosePartition(PartitionAlgorithm::defaultPartition);
    QVERIFY(d.settle());
    QCOMPARE(d.controller().variants()->list().size(), std::size_t{2});
    QCOMPARE(d.controller().variants()->list()[1].name, QStringLiteral("less"));
    QCOMPARE(d.controller().baseline().name, QStringLiteral("Compiled"));  // the what-if was not applied
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
    QCOMPARE(chips(), (QStringList{QStringLiteral("memory budget: 0.5"), QStringLiteral("always recompute: ") + name}));
    for (auto* chip : d.window.findChildren<OptionChip*>())
        if (chip->focusProxy()->accessibleName().endsWith(name)) Q_EMIT chip->removed();
    QVERIFY(d.settle());
    QCOMPARE(chips(), QStringList{QStringLiteral("memory budget: 0.5")});
    QVERIFY(d.window.session()->options().partition.recompute.empty());
    QCOMPARE(d.find<QListWidget>("overrides")->count(), 0);
    // Another model does not get them.
    d.clickNode(node);
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    d.trigger("actionApply");
    QVERIFY(d.settle());
    QVERIFY(d.openSample("sincos"));
    QCOMPARE(q(d.record()->error), QString());
    QCOMPARE(chips(), QStringList{QStringLiteral("memory budget: 0.5")});
}

/// Version 0.1 saved them by id.
void TestWindowWhatIf::overridesOfEarlierSessionsAreChips() {
    const Scratch scratch;
    Options options;
    options.model = "sample:mlp";
    SessionContent content = Session::open(options, {})->content();
    const Node& relu = *content.record->graph(GraphKind::joint)->findByName("relu");
    content.options.partition.cut.mustRecompute = {relu.id()};
    const QString file = scratch.at(QStringLiteral("earlier.aotscope"));
    writeSessionFile(file.toStdString(), content);
    WhatIf d;
    QVERIFY(d.open(file));
    QCOMPARE(chipsOf(d), QStringList{QStringLiteral("always recompute: relu")});
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

void TestWindowWhatIf::theNetworkIsATab() {
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
