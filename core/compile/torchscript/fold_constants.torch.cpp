#include "compile/torchscript/graph_builder.h"

#include "aten/convert.h"
#include "ops/op_table.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/constant_pooling.h>

namespace aotscope {

namespace {

namespace jit = torch::jit;

bool dependsOnConstantsAlone(const jit::Node& node) {
    const auto isConstant = [](const jit::Value* v) { return v->node()->kind() == c10::prim::Constant; };
    return node.kind() != c10::prim::Constant && std::all_of(node.inputs().begin(), node.inputs().end(), isConstant);
}

/// Third-party operators may have any effect.
bool mayRunNow(const jit::Node& node) {
    const c10::FunctionSchema* schema = node.maybeSchema();
    if (!schema || !node.kind().is_aten() || schema->is_mutable() || node.isNondeterministic()) return false;
    return (opTags(graphName(schema->operator_name())) & (kRandom | kRandomFusible | kEffect)) == 0;
}

/// TorchScript's own pass would also remove random draws and checks: it treats anything that writes nothing as pure.
void removeUnused(jit::Graph& graph) {
    auto nodes = graph.nodes().reverse();
    for (auto it = nodes.begin(); it != nodes.end(); ++it) {
        const bool pure = it->kind().is_prim() ? !it->hasSideEffects() : mayRunNow(**it);
        if (pure && !it->hasUses()) it.destroyCurrent();
    }
}

}  // namespace

void foldConstants(jit::Graph& graph) {
    const jit::AliasDb aliases(graph.shared_from_this());
    const std::vector<jit::Node*> nodes(graph.nodes().begin(), graph.nodes().end());
    const at::AutoDispatchBelowADInplaceOrView plainKernels;
    for (jit::Node* node : nodes) {
        if (!dependsOnConstantsAlone(*node) || !mayRunNow(*node)) continue;
        const auto keepsToItself = [&](jit::Value* v) {
            return !aliases.hasWriters(v) && !aliases.mayContainAlias(v, graph.outputs());
        };
        if (!std::all_of(node->outputs().begin(), node->outputs().end(), keepsToItself)) continue;
        jit::Stack stack;
        for (const jit::Value* input : node->inputs()) stack.push_back(*jit::toIValue(input));
        node->getOperation()(stack);
        const jit::WithInsertPoint here(node);
        bool done = true;
        for (std::size_t i = 0; i < node->outputs().size(); ++i) {
            const auto value = jit::tryInsertConstant(graph, stack[i]);
            if (value) node->outputs()[i]->replaceAllUsesWith(*value);
            else done = false;
        }
        if (done) node->destroy();
    }
    removeUnused(graph);
    jit::ConstantPooling(graph.shared_from_this());
}

}  // namespace aotscope
