#include "debug/confined_debugger.h"

#include "support/budget.h"
#include "support/confinement.h"

#include <ATen/ThreadLocalState.h>

namespace aotscope {

namespace {

void runWithin(const Progress& progress, const std::function<void()>& job) {
    const Budget budget(progress);
    const at::ThreadLocalState caller;  // holds the ranks among which collectives exchange tensors
    runConfined([&] {
        const at::ThreadLocalStateGuard state(caller);
        const BudgetScope scope(&budget);
        job();
    });
}

}  // namespace

void ConfinedDebugger::step(const Progress& progress) {
    runWithin(progress, [&] { own_->step(progress); });
}
void ConfinedDebugger::stepOverModule(const Progress& progress) {
    runWithin(progress, [&] { own_->stepOverModule(progress); });
}
void ConfinedDebugger::runTo(GraphKind graph, NodeId node, const Progress& progress) {
    runWithin(progress, [&] { own_->runTo(graph, node, progress); });
}
void ConfinedDebugger::run(const Progress& progress) {
    runWithin(progress, [&] { own_->run(progress); });
}
void ConfinedDebugger::runToNotFinite(const Progress& progress) {
    runWithin(progress, [&] { own_->runToNotFinite(progress); });
}
void ConfinedDebugger::stepBack() {
    runWithin({}, [&] { own_->stepBack(); });
}
void ConfinedDebugger::restart() {
    runWithin({}, [&] { own_->restart(); });
}
void ConfinedDebugger::compareWithEager(const Progress& progress) {
    runWithin(progress, [&] { own_->compareWithEager(progress); });
}
void ConfinedDebugger::compareWith(Debugger& other, const Progress& progress) {
    runWithin(progress, [&] { own_->compareWith(other, progress); });
}
std::string ConfinedDebugger::callAsPython(GraphKind graph, NodeId node, const Progress& progress) const {
    std::string text;
    runWithin(progress, [&] { text = own_->callAsPython(graph, node, progress); });
    return text;
}

}  // namespace aotscope
