#include "screenshots/scenes.h"

#include "panels/dialogs/minify_dialog.h"
#include "panels/trace_panel.h"
#include "window/problem_drawer.h"

#include <QDockWidget>

namespace aotscope::test {

namespace {

constexpr QSize kUsual(1400, 875), kWide(1680, 1050);

/// Waits for what the last step has started.
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

/// Of the shown graph, at a zoom at which it can be read.
void lookAt(Driver& driver, const char* node) {
    const Node* found = driver.pane()->graph()->findByName(node);
    if (!found) qFatal("there is no node '%s'", node);
    driver.pane()->view()->select(found->id());
    Q_EMIT driver.pane()->nodeSelected(found->id());
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
const QString kSharded = kDistributed + QStringLiteral("llama_fsdp.pt2");

/// Four ranks before an all-reduce, one of which brings a wrong value.
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
    driver.find<QLineEdit>("valueEdit")->setText(QStringLiteral("[0, 1] = 77"));
    QTest::keyClick(driver.find<QLineEdit>("valueEdit"), Qt::Key_Return);
    settle(driver);
    lookAt(driver, "mm_1");
}

/// Ranks of which one runs another program.
void compareRanks(Driver& driver) {
    driver.window.compare()->compareRanks({kDistributed + QStringLiteral("mlp_tensor.pt2")});
    settle(driver);
    driver.window.resizeDocks({driver.find<QDockWidget>("tablesDock")}, {300}, Qt::Vertical);
    settle(driver);
}

}  // namespace

const std::vector<Scene>& scenes() {
    static const std::vector<Scene> list{
        {QStringLiteral("resnet18"), QStringLiteral("sample:resnet18"), kWide, false, false,
         [](Driver& d) { lookAt(d, "convolution_3"); }},
        {QStringLiteral("gpt2"), QStringLiteral("sample:gpt2"), kWide, false, true},
        {QStringLiteral("modules"), QStringLiteral("sample:gpt2-deep"), kWide, false, true,
         [](Driver& d) { run(d, {"actionContract"}); }},
        {QStringLiteral("difference"), QStringLiteral("sample:resnet18"), kUsual, false, false,
         [](Driver& d) {
             run(d, {"perspective-passes", "actionDifference"});
         }},
        {QStringLiteral("history"), QStringLiteral("sample:mlp"), kWide, false, false,
         [](Driver& d) {
             lookAt(d, "addmm");
             run(d, {"actionHistory"});
         }},
        {QStringLiteral("what-if"), QStringLiteral("sample:resnet18"), kWide, false, false,
         [](Driver& d) {
             lookAt(d, "convolution_3");
             run(d, {"actionRecompute", "perspective-memory", "show-difference"});
         }},
        {QStringLiteral("compare"), QStringLiteral("sample:gpt2-tiny"), kWide, false, false,
         [](Driver& d) {
             run(d, {"actionKeepRun"});
             d.choosePartition(PartitionAlgorithm::defaultPartition);
             settle(d);
         }},
        {QStringLiteral("debugger"), QStringLiteral("sample:gpt2-tiny"), kWide, false, false,
         [](Driver& d) {
             run(d, {"actionDebug", "actionDebugStep", "actionDebugStep", "actionDebugStep"});
         }},
        {QStringLiteral("memory"), QStringLiteral("sample:resnet18"), kWide, false, false,
         [](Driver& d) { run(d, {"show-memory"}); }},
        {QStringLiteral("pareto"), QStringLiteral("sample:bert"), kWide, false, false,
         [](Driver& d) { run(d, {"actionSweep"}); }},
        {QStringLiteral("aliasing"), QStringLiteral("sample:aliasing"), kUsual, false, false,
         [](Driver& d) {
             run(d, {"colourBy-mutation", "actionContract", "show-runtimeTable"});
         }},
        {QStringLiteral("recompiled"), logOf("story.log"), kUsual, false, false,
         [](Driver& d) { readCompilation(d, "3/1"); }},
        {QStringLiteral("graph-break"), logOf("story.log"), kUsual, false, false,
         [](Driver& d) { readCompilation(d, "0/0"); }},
        {QStringLiteral("cache"), logOf("story.log"), kUsual, false, false,
         [](Driver& d) { readCompilation(d, "0/0#4"); }},
        {QStringLiteral("saved"), logOf("budget.log"), kUsual, false, false,
         [](Driver& d) {
             d.choosePartition(PartitionAlgorithm::minCut);
             settle(d);
             run(d, {"perspective-memory", "show-valuesTable"});
             lookAt(d, "tanh");
             d.window.findChild<ProblemDrawer*>()->hide();
         }},
        {QStringLiteral("scratch-pad"), QStringLiteral("sample:mlp"), kUsual, false, false,
         [](Driver& d) {
             run(d, {"actionScratch"});
             auto* presets = d.find<QComboBox>("scratchPresets");
             presets->setCurrentIndex(1);
             Q_EMIT presets->activated(1);
             QTest::qWait(1500);  // as after typing
             settle(d);
         }},
        {QStringLiteral("communication"), kSharded, kUsual, false, false,
         [](Driver& d) { showCommunication(d, false); }, QStringLiteral("communication")},
        {QStringLiteral("communication-dark"), kSharded, kUsual, true, false,
         [](Driver& d) { showCommunication(d, true); }, QStringLiteral("communication")},
        {QStringLiteral("ranks"), kDistributed + QStringLiteral("mlp_tensor.pt2"), kWide, false, false, showRanks,
         QStringLiteral("values")},
        {QStringLiteral("ranks-dark"), kDistributed + QStringLiteral("mlp_tensor.pt2"), kWide, true, false, showRanks,
         QStringLiteral("values")},
        {QStringLiteral("ranks-compared"), kDistributed + QStringLiteral("mlp_fsdp.pt2"), kUsual, false, false,
         compareRanks, QStringLiteral("compare")},
        {QStringLiteral("ranks-compared-dark"), kDistributed + QStringLiteral("mlp_fsdp.pt2"), kUsual, true, false,
         compareRanks, QStringLiteral("compare")},
        {QStringLiteral("minify"), QStringLiteral("sample:gpt2-tiny"), kUsual, false, false,
         [](Driver& d) { minify(d, "op:native_layer_norm_backward"); }, QStringLiteral("minifyDialog")},
        {QStringLiteral("dark"), QStringLiteral("sample:resnet50"), kWide, true, true}};
    return list;
}

}  // namespace aotscope::test
