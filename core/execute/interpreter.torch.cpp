#include "aten/plain_kernels.h"
#include "aten/tensors.h"
#include "distributed/place.h"
#include "execute/out_of_memory.h"
#include "execute/plan.h"
#include "support/budget.h"
#include "support/error.h"
#include "support/names.h"

#include <algorithm>
#include <filesystem>
#include <unordered_set>

namespace aotscope {

namespace {

/// One run of a plan.
class PlanRun {
public:
    PlanRun(const Plan& plan, std::vector<c10::IValue>& args, LocationSink* sink)
        : plan_(plan), sink_(sink), registers_(registerIndex(plan.registers)) {
        for (const auto& [r, tensor] : plan.constants) registers_[registerIndex(r)] = tensor;
        for (std::size_t i = 0; i < plan.inputs.size(); ++i)
            registers_[registerIndex(plan.inputs[i])] = std::move(args[i]);
        args.clear();
        for (Register r : plan.unusedInputs) registers_[registerIndex(r)] = {};
    }
    ~PlanRun() {
        while (!regions_.empty()) regions_.pop_back();
    }
    PlanRun(const PlanRun&) = delete;
    PlanRun& operator=(const PlanRun&) = delete;

    /// Leaves the results of a step on the stack.
    void execute(const PlanStep& step) {
        if (sink_ && step.location) sink_->enter(*step.location);
        else if (sink_) sink_->leave();
        try {
            perform(step);
        } catch (std::exception& e) {
            if (plan_.asModel) addPlace(e, step);
            else if (isOutOfMemory(e)) throw Error(outOfMemoryText(e, "at " + describe(step), live(step)));
            throw;
        }
    }
    const torch::jit::Stack& results() const { return stack_; }
    void store(const PlanStep& step) { storeResults(step, registers_, stack_); }

    std::vector<c10::IValue> outputs() const {
        std::vector<c10::IValue> outputs;
        outputs.reserve(plan_.outputs.size());
        for (const auto& output : plan_.outputs)
            outputs.push_back(output.source == kUnused ? output.literal : registers_[registerIndex(output.source)]);
        return outputs;
    }

private:
    void perform(const PlanStep& step) {
        if (step.begins) {
            loadArguments(step, registers_, stack_);
            regions_.push_back(step.begins(stack_, sink_));
            return stack_.clear();
        }
        if (step.endsRegion) return regions_.pop_back();
        if (!step.communicates) return executeStep(step, registers_, stack_);
        const std::string made = firstResult(step);
        const std::string place = made.empty() ? "a value that nothing uses" : made;
        const PlaceScope here(place);
        executeStep(step, registers_, stack_);
    }

    /// "%mm_3"; empty: its results are unused.
    std::string firstResult(const PlanStep& step) const {
        const auto made = std::ranges::find_if(step.results, [](Register r) { return r != kUnused; });
        return made == step.results.end() ? std::string() : "%" + plan_.names[registerIndex(*made)];
    }

    static std::string operationOf(const PlanStep& step) {
        return step.op ? step.op->operator_name().name : "an operation";
    }

    /// "aten::mm, which computes %mm_3"
    std::string describe(const PlanStep& step) const {
        const std::string made = firstResult(step);
        return operationOf(step) + (made.empty() ? "" : ", which makes " + made);
    }

    /// For LibTorch's errors: "in aten::sub_, model.py line 63".
    void addPlace(std::exception& failure, const PlanStep& step) const {
        auto* error = dynamic_cast<c10::Error*>(&failure);
        if (!error || !error->context().empty()) return;
        const SourceInfo* source = step.location ? plan_.locations.at(*step.location).get() : nullptr;
        std::string place = "in " + operationOf(step);
        if (source && !source->file.empty())
            place += ", " + std::filesystem::path(source->file).filename().string() + " line " +
                     std::to_string(source->line);
        error->add_context(place);
    }

    /// Every storage once. What the failed step has already moved out of its registers is on the stack.
    std::vector<LiveTensor> live(const PlanStep& step) const {
        std::vector<LiveTensor> live;
        std::unordered_set<const c10::StorageImpl*> seen;
        const auto add = [&](const std::string& name, const c10::IValue& value) {
            if (isTensor(value) && seen.insert(storageOf(value.toTensor())).second)
                live.push_back({name, static_cast<std::int64_t>(value.toTensor().storage().nbytes())});
        };
        for (std::size_t r = 0; r < registers_.size(); ++r) add(plan_.names[r], registers_[r]);
        for (const PlanOperand& operand : step.operands)
            if (operand.argument < stack_.size())
                add(plan_.names[registerIndex(operand.source)], stack_[operand.argument]);
        return live;
    }

    const Plan& plan_;
    LocationSink* sink_;
    std::vector<c10::IValue> registers_;
    torch::jit::Stack stack_;
    std::vector<std::shared_ptr<void>> regions_;  ///< that have been entered, innermost last
};

class Interpreter final : public CompiledGraph {
public:
    Interpreter(Plan plan, std::vector<std::vector<NodeId>> groups, std::string note)
        : plan_(std::move(plan)), groups_(std::move(groups)), note_(std::move(note)) {
        for (const auto& step : plan_.steps) stepNodes_.push_back(step.node);
    }

    const std::vector<NodeId>& steps() const override { return stepNodes_; }
    std::vector<std::vector<NodeId>> groups() const override { return groups_; }
    std::string note() const override { return note_; }
    std::vector<NodeId> shownBy(std::size_t step) const override {
        const StepKernel* kernel = plan_.steps[step].kernel.get();
        return kernel ? kernel->shown() : std::vector<NodeId>();
    }

    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver* observer) const override {
        return runPlan(plan_, args, observer);
    }

private:
    Plan plan_;
    std::vector<std::vector<NodeId>> groups_;
    std::string note_;
    std::vector<NodeId> stepNodes_;
};

}  // namespace

std::vector<c10::IValue> runPlan(const Plan& plan, std::vector<c10::IValue>& args, StepObserver* observer,
                                 LocationSink* sink) {
    if (args.size() != plan.inputs.size())
        throw Error("a compiled graph takes " + counted(plan.inputs.size(), "input") + ", got " +
                    std::to_string(args.size()));
    if (observer) observer->arguments(args);
    std::optional<PlainKernels> plainKernels;
    if (!plan.asModel) plainKernels.emplace();
    const Budget* budget = plan.asModel ? BudgetScope::current() : nullptr;
    PlanRun run(plan, args, sink);
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        if (budget) budget->checkCancelled();
        if (observer) observer->before(i);
        run.execute(plan.steps[i]);
        if (observer) observer->results(i, run.results());
        run.store(plan.steps[i]);
        if (observer) observer->after(i);
    }
    return run.outputs();
}

std::shared_ptr<const CompiledGraph> interpret(Plan plan, std::vector<std::vector<NodeId>> groups, std::string note) {
    return std::make_shared<Interpreter>(std::move(plan), std::move(groups), std::move(note));
}

}  // namespace aotscope
