#include "load/torchscript/interrupts.h"

#include "support/budget.h"

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/custom_operator.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <functional>

namespace aotscope {

namespace {

namespace jit = torch::jit;

jit::Operation forkHere(const jit::Node* node) {
    const jit::Code code(node->g(c10::attr::Subgraph)->copy(), "fork");
    const c10::TypePtr type = node->output()->type()->expectRef<c10::FutureType>().getElementType();
    const std::size_t count = node->inputs().size();
    return [code, type, count](jit::Stack& stack) {
        jit::Stack arguments = jit::pop(stack, count);
        jit::InterpreterState(code).run(arguments);
        auto future = c10::make_intrusive<c10::ivalue::Future>(type);
        future->markCompleted(arguments.empty() ? c10::IValue() : arguments.back());
        stack.emplace_back(std::move(future));
    };
}

void registerInterrupts() {
    constexpr auto conservative = c10::AliasAnalysisKind::CONSERVATIVE;
    [[maybe_unused]] static const jit::RegisterOperators registered(
        {jit::Operator(
             "aotscope::interrupt() -> ()",
             [](jit::Stack&) {
                 if (ForeignRun* run = ForeignRun::current()) run->check();
             },
             conservative),
         jit::Operator(forkHereSymbol(), forkHere, conservative)});
}

void insertAtBeginning(jit::Graph& graph, jit::Block& block) {
    jit::Node* interrupt = graph.create(interruptSymbol(), 0);
    block.prependNode(interrupt);
}

void forEachBlock(jit::Graph& graph, jit::Block& block, const std::function<void(jit::Graph&, jit::Block&)>& visit) {
    for (jit::Node* node : block.nodes()) {
        for (jit::Block* inner : node->blocks()) forEachBlock(graph, *inner, visit);
        if (!node->hasAttribute(c10::attr::Subgraph)) continue;
        jit::Graph& called = *node->g(c10::attr::Subgraph);
        forEachBlock(called, *called.block(), visit);
    }
    visit(graph, block);
}

void interruptLoop(jit::Graph& graph, jit::Block& block) {
    if (block.owningNode() && block.owningNode()->kind() == c10::prim::Loop) insertAtBeginning(graph, block);
}

void forkBlockHere(jit::Graph& graph, jit::Block& block) {
    for (auto it = block.nodes().begin(); it != block.nodes().end(); ++it) {
        if (it->kind() != c10::prim::fork) continue;
        jit::Node* own = graph.create(forkHereSymbol(), it->inputs(), 1)->copyAttributes(**it);
        own->output()->copyMetadata(it->output());
        own->insertBefore(*it);
        it->output()->replaceAllUsesWith(own->output());
        it.destroyCurrent();
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

c10::Symbol forkHereSymbol() {
    static const auto symbol = c10::Symbol::fromQualString("aotscope::fork");
    return symbol;
}

void interruptLoops(jit::Graph& graph) {
    registerInterrupts();
    forEachBlock(graph, *graph.block(), interruptLoop);
}

void interruptFunctions(const jit::CompilationUnit& unit) {
    for (jit::Function* function : unit.get_functions()) {
        auto* own = dynamic_cast<jit::GraphFunction*>(function);
        if (!own || hasInterrupt(*own->graph())) continue;
        jit::Graph& graph = *own->graph();
        interruptLoops(graph);
        forEachBlock(graph, *graph.block(), forkBlockHere);
        insertAtBeginning(graph, *graph.block());
    }
}

}  // namespace aotscope
