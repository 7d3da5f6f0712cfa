#include "compile/compiler.h"
#include "compile/plan.h"
#include "support/error.h"

#include <ATen/core/LegacyTypeDispatch.h>

namespace aotscope {

namespace {

class Interpreter final : public CompiledGraph {
public:
    explicit Interpreter(Plan plan) : plan_(std::move(plan)) {
        for (const auto& step : plan_.steps) stepNodes_.push_back(step.node);
    }

    const std::vector<NodeId>& steps() const override { return stepNodes_; }

    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver* observer) const override {
        if (args.size() != plan_.inputs.size())
            throw Error("a compiled graph with " + std::to_string(plan_.inputs.size()) + " inputs got " +
                        std::to_string(args.size()));
        if (observer) observer->arguments(args);
        const at::AutoDispatchBelowADInplaceOrView plainKernels;
        const c10::impl::ExcludeDispatchKeyGuard noAutocast(c10::autocast_dispatch_keyset);  // the graph has its casts
        std::vector<c10::IValue> registers(registerIndex(plan_.registers));
        for (const auto& [r, tensor] : plan_.constants) registers[registerIndex(r)] = tensor;
        for (std::size_t i = 0; i < plan_.inputs.size(); ++i)
            registers[registerIndex(plan_.inputs[i])] = std::move(args[i]);
        args.clear();
        for (Register r : plan_.unusedInputs) registers[registerIndex(r)] = {};
        torch::jit::Stack stack;
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            if (observer) observer->before(i);
            executeStep(plan_.steps[i], registers, stack);
            if (observer) observer->results(i, stack);
            storeResults(plan_.steps[i], registers, stack);
            if (observer) observer->after(i);
        }
        std::vector<c10::IValue> outputs;
        outputs.reserve(plan_.outputs.size());
        for (const auto& output : plan_.outputs)
            outputs.push_back(output.source == kUnused ? output.literal : registers[registerIndex(output.source)]);
        return outputs;
    }

private:
    Plan plan_;
    std::vector<NodeId> stepNodes_;
};

class InterpreterCompiler final : public Compiler {
public:
    std::string name() const override { return "interpreter"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        return std::make_shared<Interpreter>(makePlan(graph, constants));
    }
};

}  // namespace

std::unique_ptr<Compiler> makeInterpreter() { return std::make_unique<InterpreterCompiler>(); }

}  // namespace aotscope
