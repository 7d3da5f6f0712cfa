#include "load/interrupts.h"

#include "support/budget.h"

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/passes/inline_fork_wait.h>
#include <torch/csrc/jit/runtime/custom_operator.h>
#include <torch/csrc/jit/runtime/operator.h>

namespace aotscope {

namespace {

namespace jit = torch::jit;

void registerInterrupt() {
    [[maybe_unused]] static const jit::RegisterOperators registered({jit::Operator(
        "aotscope::interrupt() -> ()",
        [](jit::Stack&) {
            if (ForeignRun* run = ForeignRun::current()) run->check();
        },
        c10::AliasAnalysisKind::CONSERVATIVE)});
}

void insertAtBeginning(jit::Graph& graph, jit::Block& block) {
    jit::Node* interrupt = graph.create(interruptSymbol(), 0);
    block.prependNode(interrupt);
}

void interruptLoops(jit::Graph& graph, jit::Block& block) {
    for (jit::Node* node : block.nodes()) {
        for (jit::Block* inner : node->blocks()) {
            interruptLoops(graph, *inner);
            if (node->kind() == c10::prim::Loop) insertAtBeginning(graph, *inner);
        }
        if (node->hasAttribute(c10::attr::Subgraph)) interruptLoops(*node->g(c10::attr::Subgraph));
    }
}

bool hasInterrupt(const jit::Graph& graph) {
    const jit::Node* first = *graph.block()->nodes().begin();
    return first->kind() == interruptSymbol();
}

}  // namespace

c10::Symbol interruptSymbol() {
    static const auto symbol = c10::Symbol::fromQualString("aotscope::interrupt");
    return symbol;
}

void interruptLoops(jit::Graph& graph) {
    registerInterrupt();
    interruptLoops(graph, *graph.block());
}

void interruptFunctions(const jit::CompilationUnit& unit) {
    for (jit::Function* function : unit.get_functions()) {
        auto* own = dynamic_cast<jit::GraphFunction*>(function);
        if (!own || hasInterrupt(*own->graph())) continue;
        auto graph = own->graph();
        jit::InlineForkWait(graph);
        interruptLoops(*graph);
        insertAtBeginning(*graph, *graph->block());
    }
}

}  // namespace aotscope
