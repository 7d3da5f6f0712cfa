#include "execute/planned_subgraph.h"

#include "program/subgraph_function.h"
#include "support/error.h"
#include "support/names.h"

#include <ATen/ops/scalar_tensor.h>

namespace aotscope {

namespace {

struct SubgraphPlan {
    std::string name;
    std::vector<bool> numbers;  ///< of the inputs
    Plan plan;
};

class PlannedSubgraph final : public SubgraphFunction {
public:
    explicit PlannedSubgraph(std::shared_ptr<const SubgraphPlan> plan, std::vector<c10::IValue> numbers = {})
        : plan_(std::move(plan)), numbers_(std::move(numbers)) {}

    c10::IValue with(std::vector<c10::IValue> numbers) const {
        return toIValue(c10::make_intrusive<PlannedSubgraph>(plan_, std::move(numbers)));
    }

    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override { return plan_->plan.locations; }

    std::vector<at::Tensor> run(const std::vector<at::Tensor>& operands, LocationSink* sink) const override {
        std::vector<c10::IValue> values = inputs(operands);
        std::vector<at::Tensor> results;
        for (const c10::IValue& result : runPlan(plan_->plan, values, nullptr, sink))
            results.push_back(returned(result));
        return results;
    }

private:
    std::vector<c10::IValue> inputs(const std::vector<at::Tensor>& operands) const {
        const std::size_t tensors = plan_->numbers.size() - numbers_.size();
        if (operands.size() != tensors)
            throw Error("graph '" + plan_->name + "' takes " + counted(tensors, "tensor") + ", got " +
                        std::to_string(operands.size()));
        std::vector<c10::IValue> values;
        auto tensor = operands.begin();
        auto number = numbers_.begin();
        for (const bool isNumber : plan_->numbers) {
            if (isNumber && number != numbers_.end()) values.push_back(*number++);
            else values.emplace_back(*tensor++);
        }
        return values;
    }

    /// A number as a tensor, from which it is read again.
    at::Tensor returned(const c10::IValue& value) const {
        if (value.isTensor()) return value.toTensor();
        if (!value.isScalar())
            throw Error("graph '" + plan_->name + "' returns something that is neither a tensor nor a number");
        const c10::Scalar number = value.toScalar();
        return at::scalar_tensor(number, at::TensorOptions(number.type()));
    }

    std::shared_ptr<const SubgraphPlan> plan_;
    std::vector<c10::IValue> numbers_;
};

class CallOfSubgraphs final : public StepKernel {
public:
    CallOfSubgraphs(const c10::OperatorHandle& op, std::size_t numbers, std::vector<std::size_t> places)
        : op_(op), numbers_(numbers), places_(std::move(places)) {}

    void call(torch::jit::Stack& stack) const override {
        const torch::jit::Stack numbers = torch::jit::pop(stack, std::size_t{numbers_});
        for (c10::IValue& argument : stack)
            if (const auto function = subgraphFunction(argument); function && !numbers.empty())
                argument = dynamic_cast<const PlannedSubgraph&>(*function).with(numbers);
        op_.callBoxed(stack);
        const auto results = stack.back().toTensorVector();
        stack.assign(results.begin(), results.end());
        static const auto item = c10::Dispatcher::singleton().findSchemaOrThrow("aten::item", "");
        for (const std::size_t place : places_) {
            torch::jit::Stack number = {stack.at(place)};
            item.callBoxed(number);
            stack[place] = number.at(0);
        }
    }

private:
    c10::OperatorHandle op_;
    std::size_t numbers_;
    std::vector<std::size_t> places_;
};

}  // namespace

c10::IValue planSubgraph(const Graph& subgraph, const ConstantTable& constants, const PlanRules& rules) {
    return toIValue(c10::make_intrusive<PlannedSubgraph>(std::make_shared<const SubgraphPlan>(
        SubgraphPlan{subgraph.name(), numberInputs(subgraph, rules.asModel), makePlan(subgraph, constants, rules)})));
}

std::vector<bool> numberInputs(const Graph& subgraph, bool asModel) {
    std::vector<bool> numbers;
    for (const Node* input : subgraph.placeholders())
        numbers.push_back(asModel ? !input->type.tensor() : input->type.scalar() != nullptr);
    return numbers;
}

std::shared_ptr<const StepKernel> kernelOfSubgraphs(const c10::OperatorHandle& op, std::size_t numbers,
                                                    std::vector<std::size_t> places) {
    if (numbers == 0 && places.empty()) return nullptr;
    return std::make_shared<CallOfSubgraphs>(op, numbers, std::move(places));
}

}  // namespace aotscope
