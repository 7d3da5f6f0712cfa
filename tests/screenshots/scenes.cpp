#include "screenshots/scenes.h"

#include "panels/dialogs/minify_dialog.h"
#include "panels/trace_panel.h"
#include "window/options/options_popover.h"
#include "window/problem_drawer.h"

#include <QDockWidget>

namespace aotscope::test {

namespace {

constexpr QSize kUsual(1400, 875), kWide(1680, 1050);

/// Waits for the effects of the last step.
void settle(Driver& driver) {
    if (!driver.settle()) qFatal("the window is busy for too long");
    QTest::qWait(50);  // animations and panels that follow
}

void run(Driver& driver, std::initializer_list<const char*> actions) {
    for (const char* action : actions) {
        driver.trigger(action);
        settle(driver);
    }
}

void select(Driver& driver, const char* node) {
    const Node* found = driver.pane()->graph()->findByName(node);
    if (!found) qFatal("there is no node '%s'", node);
    driver.pane()->view()->select(found->id());
    Q_EMIT driver.pane()->nodeSelected(found->id());
    settle(driver);
}

/// The shown graph, at a readable zoom.
void lookAt(Driver& driver, const char* node) {
    select(driver, node);
    driver.canvas()->centreOnSelection();
    settle(driver);
}

QString logOf(const char* name) {
    return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/") + QLatin1String(name);
}

/// The page of one compilation, as high as the window allows.
void readCompilation(Driver& driver, const char* id) {
    run(driver, {"perspective-passes", "show-traceLog"});
    driver.window.resizeDocks({driver.find<QDockWidget>("tablesDock")}, {470}, Qt::Vertical);
    driver.window.findChild<TracePanel*>()->select(QLatin1String(id));
    settle(driver);
}

/// The smallest graph of the shown model in which `condition` holds.
void minify(Driver& driver, const char* condition) {
    run(driver, {"actionMinify"});
    auto* dialog = driver.find<MinifyDialog>("minifyDialog");
    dialog->condition()->setEditText(QLatin1String(condition));
    dialog->startButton()->click();
    settle(driver);
}

/// The page of a distributed program, as high as the window allows, with its collectives tried out or not.
void showCommunication(Driver& driver, bool tried) {
    run(driver, {"perspective-run", "show-communication"});
    driver.window.resizeDocks({driver.find<QDockWidget>("tablesDock")}, {460}, Qt::Vertical);
    settle(driver);
    if (!tried) return;
    driver.find<QAction>("collectivesBoth")->trigger();
    settle(driver);
    run(driver, {"perspective-run", "show-communication"});
}

const QString kDistributed = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/");
const QString kSharded = kDistributed + u"llama_fsdp.pt2"_s;

/// Four ranks before an all-reduce, one of which has a wrong value.
void showRanks(Driver& driver) {
    run(driver, {"actionDebug"});
    driver.find<QSpinBox>("rankCount")->setValue(4);
    settle(driver);
    driver.window.resizeDocks({driver.find<QDockWidget>("valuesDock")}, {520}, Qt::Horizontal);
    lookAt(driver, "all_reduce");
    run(driver, {"actionDebugTo"});
    lookAt(driver, "mm_1");
    driver.find<QComboBox>("shownRank")->setCurrentIndex(2);
    settle(driver);
    driver.find<QLineEdit>("valueEdit")->setText(u"[0, 1] = 77"_s);
    QTest::keyClick(driver.find<QLineEdit>("valueEdit"), Qt::Key_Return);
    settle(driver);
    lookAt(driver, "mm_1");
}

/// Ranks, one of which runs another program.
void compareRanks(Driver& driver) {
    driver.window.compare()->compareRanks({kDistributed + u"mlp_tensor.pt2"_s});
    settle(driver);
    driver.window.resizeDocks({driver.find<QDockWidget>("tablesDock")}, {300}, Qt::Vertical);
    settle(driver);
}

}  // namespace

const std::vector<Scene>& scenes() {
    static const std::vector<Scene> list{
        {u"resnet18"_s, u"sample:resnet18"_s, kWide, false, true, [](Driver& d) { select(d, "relu"); }},
        {u"gpt2"_s, u"sample:gpt2"_s, kWide, false, true},
        {u"modules"_s, u"sample:gpt2-deep"_s, kWide, false, true, [](Driver& d) { run(d, {"actionContract"}); }},
        {u"difference"_s, u"sample:resnet18"_s, kUsual, false, false,
         [](Driver& d) {
             run(d, {"perspective-passes", "actionDifference"});
         }},
        {u"history"_s, u"sample:mlp"_s, kWide, false, false,
         [](Driver& d) {
             lookAt(d, "addmm");
             run(d, {"actionHistory"});
         }},
        {u"what-if"_s, u"sample:resnet18"_s, kWide, false, false,
         [](Driver& d) {
             lookAt(d, "convolution_3");
             run(d, {"actionRecompute", "perspective-memory", "show-difference"});
         }},
        {u"fit"_s, u"sample:resnet50"_s, kWide, false, false,
         [](Driver& d) {
             run(d, {"actionFit"});
             auto* device = d.find<QComboBox>("fitDevice");
             device->setCurrentIndex(device->findData(u"l4"_s));
             settle(d);
             d.window.resizeDocks({d.find<QDockWidget>("fitDock")}, {560}, Qt::Horizontal);
             settle(d);
         }},
        {u"compare"_s, u"sample:gpt2-tiny"_s, kWide, false, false,
         [](Driver& d) {
             run(d, {"actionKeepRun"});
             d.choosePartition(PartitionAlgorithm::defaultPartition);
             settle(d);
         }},
        {u"runs"_s, u"sample:resnet18"_s, kWide, false, true,
         [](Driver& d) {
             run(d, {"actionTime", "actionCheck"});
             for (const char* budget : {"0.6", "0.3"}) {
                 d.find<OptionsPopover>("options")->give(optionNamed("--memory-budget"), QLatin1String(budget));
                 settle(d);
             }
             run(d, {"actionTime", "perspective-memory", "show-runs"});
             d.window.findChild<ProblemDrawer*>()->hide();
         }},
        {u"roofline"_s, u"sample:resnet18"_s, kWide, false, true,
         [](Driver& d) {
             run(d, {"actionTime", "actionRoofline"});
             d.window.resizeDocks({d.find<QDockWidget>("tablesDock")}, {460}, Qt::Vertical);
             settle(d);
         }},
        {u"preferences"_s, u"sample:mlp"_s, kUsual, false, false, [](Driver& d) { run(d, {"actionPreferences"}); },
         u"preferencesDialog"_s},
        {u"debugger"_s, u"sample:gpt2-tiny"_s, kWide, false, false,
         [](Driver& d) {
             run(d, {"actionDebug", "actionDebugStep", "actionDebugStep", "actionDebugStep"});
         }},
        {u"memory"_s, u"sample:resnet18"_s, kWide, false, false, [](Driver& d) { run(d, {"show-memory"}); }},
        {u"pareto"_s, u"sample:bert"_s, kWide, false, false, [](Driver& d) { run(d, {"actionSweep"}); }},
        {u"plan"_s, u"sample:gpt2-tiny"_s, kWide, false, false,
         [](Driver& d) {
             run(d, {"perspective-memory", "actionSweep"});
             auto* algorithm = d.find<QComboBox>("whatIfAlgorithm");
             algorithm->setCurrentIndex(algorithm->findText(u"plan"_s));
             settle(d);
             d.find<QSlider>("budget")->setValue(90);
             settle(d);
         }},
        {u"aliasing"_s, u"sample:aliasing"_s, kUsual, false, false,
         [](Driver& d) {
             run(d, {"colourBy-mutation", "actionContract", "show-runtimeTable"});
         }},
        {u"recompiled"_s, logOf("story.log"), kUsual, false, false, [](Driver& d) { readCompilation(d, "3/1"); }},
        {u"graph-break"_s, logOf("story.log"), kUsual, false, false, [](Driver& d) { readCompilation(d, "0/0"); }},
        {u"cache"_s, logOf("story.log"), kUsual, false, false, [](Driver& d) { readCompilation(d, "0/0#4"); }},
        {u"saved"_s, logOf("budget.log"), kUsual, false, false,
         [](Driver& d) {
             d.choosePartition(PartitionAlgorithm::minCut);
             settle(d);
             run(d, {"perspective-memory", "show-valuesTable"});
             lookAt(d, "tanh");
             d.window.findChild<ProblemDrawer*>()->hide();
         }},
        {u"scratch-pad"_s, u"sample:mlp"_s, kUsual, false, false,
         [](Driver& d) {
             run(d, {"actionScratch"});
             auto* presets = d.find<QComboBox>("scratchPresets");
             presets->setCurrentIndex(1);
             Q_EMIT presets->activated(1);
             QTest::qWait(1500);  // as after typing
             settle(d);
         }},
        {u"communication"_s, kSharded, kUsual, false, false, [](Driver& d) { showCommunication(d, false); },
         u"communication"_s},
        {u"communication-dark"_s, kSharded, kUsual, true, false, [](Driver& d) { showCommunication(d, true); },
         u"communication"_s},
        {u"ranks"_s, kDistributed + u"mlp_tensor.pt2"_s, kWide, false, false, showRanks, u"values"_s},
        {u"ranks-dark"_s, kDistributed + u"mlp_tensor.pt2"_s, kWide, true, false, showRanks, u"values"_s},
        {u"ranks-compared"_s, kDistributed + u"mlp_fsdp.pt2"_s, kUsual, false, false, compareRanks, u"compare"_s},
        {u"ranks-compared-dark"_s, kDistributed + u"mlp_fsdp.pt2"_s, kUsual, true, false, compareRanks, u"compare"_s},
        {u"minify"_s, u"sample:gpt2-tiny"_s, kUsual, false, false,
         [](Driver& d) { minify(d, "op:native_layer_norm_backward"); }, u"minifyDialog"_s},
        {u"dark"_s, u"sample:resnet50"_s, kWide, true, true}};
    return list;
}

}  // namespace aotscope::test
