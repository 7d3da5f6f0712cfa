#include "compile/torchscript/torchscript.h"

#include "aten/plain_kernels.h"
#include "compile/torchscript/graph_builder.h"
#include "compile/torchscript/stepper.h"
#include "support/error.h"
#include "support/file.h"
#include "support/names.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/passes/shape_analysis.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include <sstream>

namespace aotscope {

namespace {

namespace jit = torch::jit;

class TorchScriptCompiled final : public CompiledGraph {
public:
    explicit TorchScriptCompiled(const TorchScriptGraph& source)
        : inputs_(source.graph->inputs().size()), code_(source.graph, "forward"), stepper_(source) {}

    const std::vector<NodeId>& steps() const override { return stepper_.steps(); }

    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver* observer) const override {
        if (args.size() != inputs_)
            throw Error("a compiled graph takes " + counted(inputs_, "input") + ", got " + std::to_string(args.size()));
        const PlainKernels plainKernels;
        if (observer) return stepper_.run(args, *observer);
        jit::Stack stack = std::move(args);
        args.clear();
        jit::InterpreterState(code_).run(stack);
        return stack;
    }

private:
    std::size_t inputs_;
    jit::Code code_;
    TorchScriptStepper stepper_;
};

class TorchScriptCompiler final : public Compiler {
public:
    explicit TorchScriptCompiler(bool freezes) : freezes_(freezes) {}
    std::string name() const override { return "torchscript"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        const TorchScriptGraph source = buildTorchScript(graph, constants);
        // With dynamic sizes, a view of a constant may be returned.
        if (freezes_ && graph.symbols().empty()) foldConstants(*source.graph);
        return std::make_shared<TorchScriptCompiled>(source);
    }

private:
    bool freezes_;
};

}  // namespace

std::unique_ptr<Compiler> makeTorchScript(const CompilerSettings& settings) {
    return std::make_unique<TorchScriptCompiler>(settings.at("freeze") == "true");
}

std::string torchScriptText(const Graph& graph, const ConstantTable& constants) {
    return buildTorchScript(graph, constants).graph->toString();
}

void saveTorchScript(const Graph& graph, const ConstantTable& constants, const std::filesystem::path& file) {
    const auto body = buildTorchScript(graph, constants).graph;
    jit::EraseShapeInformation(body);
    const std::vector<jit::Value*> outputs(body->outputs().begin(), body->outputs().end());
    if (outputs.size() != 1) {
        while (!body->outputs().empty()) body->eraseOutput(body->outputs().size() - 1);
        body->registerOutput(body->insertNode(body->createTuple(outputs))->output());
    }
    jit::Module module("__torch__.aotscope.Graph");
    body->insertInput(0, "self")->setType(module.type());
    jit::Function* forward = module._ivalue()->compilation_unit()->create_function(
        c10::QualifiedName(*module.type()->name(), "forward"), body);
    module.type()->addMethod(forward);
    std::ostringstream bytes;
    module.save(bytes);
    writeFileAtomically(file, bytes.str());
}

}  // namespace aotscope
