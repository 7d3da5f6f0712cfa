#include "aten/convert.h"
#include "aten/plain_kernels.h"
#include "aten/tensors.h"
#include "distributed/place.h"
#include "execute/out_of_memory.h"
#include "execute/plan.h"
#include "ops/collectives.h"
#include "support/error.h"
#include "support/names.h"

#include <algorithm>
#include <unordered_set>

namespace aotscope {

namespace {

class Interpreter final : public CompiledGraph {
public:
    Interpreter(Plan plan, std::vector<std::vector<NodeId>> groups, std::string note)
        : plan_(std::move(plan)), groups_(std::move(groups)), note_(std::move(note)) {
        for (const auto& step : plan_.steps) {
            stepNodes_.push_back(step.node);
            communicates_.push_back(step.op && communicates(graphName(step.op->operator_name())));
        }
    }

    const std::vector<NodeId>& steps() const override { return stepNodes_; }
    std::vector<std::vector<NodeId>> groups() const override { return groups_; }
    std::string note() const override { return note_; }
    std::vector<NodeId> shownBy(std::size_t step) const override {
        const StepKernel* kernel = plan_.steps[step].kernel.get();
        return kernel ? kernel->shown() : std::vector<NodeId>();
    }

    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver* observer) const override {
        if (args.size() != plan_.inputs.size())
            throw Error("a compiled graph takes " + counted(plan_.inputs.size(), "input") + ", got " +
                        std::to_string(args.size()));
        if (observer) observer->arguments(args);
        const PlainKernels plainKernels;
        std::vector<c10::IValue> registers(registerIndex(plan_.registers));
        for (const auto& [r, tensor] : plan_.constants) registers[registerIndex(r)] = tensor;
        for (std::size_t i = 0; i < plan_.inputs.size(); ++i)
            registers[registerIndex(plan_.inputs[i])] = std::move(args[i]);
        args.clear();
        for (Register r : plan_.unusedInputs) registers[registerIndex(r)] = {};
        torch::jit::Stack stack;
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            if (observer) observer->before(i);
            execute(i, registers, stack);
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
    void execute(std::size_t i, std::vector<c10::IValue>& registers, torch::jit::Stack& stack) const {
        try {
            if (communicates_[i]) return executeWithPlace(i, registers, stack);
            executeStep(plan_.steps[i], registers, stack);
        } catch (const std::exception& e) {
            if (!isOutOfMemory(e)) throw;
            throw Error(outOfMemoryText(e, "at " + describeStep(i), liveAt(i, registers, stack)));
        }
    }

    /// Other ranks are told where this one is.
    void executeWithPlace(std::size_t i, std::vector<c10::IValue>& registers, torch::jit::Stack& stack) const {
        const std::string unused = "a value that nothing uses";
        const auto& results = plan_.steps[i].results;
        const auto made = std::ranges::find_if(results, [](Register r) { return r != kUnused; });
        const std::string place = made == results.end() ? unused : "%" + plan_.names[registerIndex(*made)];
        const PlaceScope here(place);
        executeStep(plan_.steps[i], registers, stack);
    }

    /// "aten::mm, which makes %mm_3"
    std::string describeStep(std::size_t i) const {
        const PlanStep& step = plan_.steps[i];
        std::string op = step.op ? step.op->operator_name().name : "an operation";
        for (const Register r : step.results)
            if (r != kUnused) return op + ", which makes %" + plan_.names[registerIndex(r)];
        return op;
    }

    /// Every piece of memory once. What the failed step has already taken out of its registers is on the stack.
    std::vector<LiveTensor> liveAt(std::size_t i, const std::vector<c10::IValue>& registers,
                                   const torch::jit::Stack& stack) const {
        std::vector<LiveTensor> live;
        std::unordered_set<const c10::StorageImpl*> seen;
        const auto add = [&](const std::string& name, const c10::IValue& value) {
            if (isTensor(value) && seen.insert(storageOf(value.toTensor())).second)
                live.push_back({name, static_cast<std::int64_t>(value.toTensor().storage().nbytes())});
        };
        for (std::size_t r = 0; r < registers.size(); ++r) add(plan_.names[r], registers[r]);
        for (const PlanOperand& operand : plan_.steps[i].operands)
            if (operand.argument < stack.size())
                add(plan_.names[registerIndex(operand.source)], stack[operand.argument]);
        return live;
    }

    Plan plan_;
    std::vector<std::vector<NodeId>> groups_;
    std::string note_;
    std::vector<NodeId> stepNodes_;
    std::vector<bool> communicates_;  ///< by step: whether it meets other ranks
};

}  // namespace

std::shared_ptr<const CompiledGraph> interpret(Plan plan, std::vector<std::vector<NodeId>> groups, std::string note) {
    return std::make_shared<Interpreter>(std::move(plan), std::move(groups), std::move(note));
}

}  // namespace aotscope
