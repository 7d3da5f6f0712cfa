#include "screenshots/scenes.h"

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
        {QStringLiteral("dark"), QStringLiteral("sample:resnet50"), kWide, true, true}};
    return list;
}

}  // namespace aotscope::test
