#include "program/higher_order_gradient.h"
#include "program/joint_function.h"
#include "program/tensor_lists.h"

#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/zeros.h>

namespace aotscope {

namespace {

/// The condition of the backward: the counter, its first operand, is below the number of steps.
class CountsSteps final : public SubgraphFunction {
public:
    CountsSteps(c10::IValue body, std::int64_t steps) : body_(std::move(body)), steps_(steps) {}

    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override {
        return subgraphFunction(body_)->locations();
    }
    TensorVector run(const TensorVector& operands, LocationSink*) const override {
        return {at::lt(operands.at(0), steps_)};
    }

private:
    c10::IValue body_;
    std::int64_t steps_;
};

/// A step of the backward: (counter, gradients of carried values, accumulated gradients of shared operands | stacked
/// inputs of the steps, shared operands) -> the first three for the previous step.
class WhileBackward final : public SubgraphFunction {
public:
    /// `joint` is that of a step. `carried`: the number of carried tensors; `gradients`: how many of them, and of the
    /// shared operands, are differentiable.
    WhileBackward(c10::IValue joint, std::size_t carried, std::size_t carriedGradients, std::size_t sharedGradients)
        : joint_(std::move(joint)),
          carried_(carried),
          carriedGradients_(carriedGradients),
          sharedGradients_(sharedGradients) {}

    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override {
        return subgraphFunction(joint_)->locations();
    }

    TensorVector run(const TensorVector& operands, LocationSink* sink) const override {
        OperandList list(operands);
        const at::Tensor counter = list.take(1)[0];
        const TensorVector ofCarried = list.take(carriedGradients_), ofShared = list.take(sharedGradients_),
                           given = list.take(carried_), shared = list.rest();
        const at::Tensor step = at::sub(at::rsub(counter, given.at(0).size(0)), 1);
        TensorVector primals;
        // Uses an index tensor: the counter is known only at run time.
        for (const at::Tensor& tensor : given) primals.push_back(at::index_select(tensor, 0, step).squeeze(0));
        primals = joined(primals, shared);
        const TensorVector gradients = subgraphFunction(joint_)->run(joined(primals, ofCarried), sink);
        TensorVector results{at::add(counter, 1)};
        for (std::size_t i = 0; i < carried_; ++i)
            if (isDifferentiable(primals[i])) results.push_back(gradients[i]);
        std::size_t next = 0;
        for (std::size_t i = carried_; i < primals.size(); ++i)
            if (isDifferentiable(primals[i])) results.push_back(at::add(gradients[i], ofShared[next++]));
        return results;
    }

private:
    c10::IValue joint_;
    std::size_t carried_, carriedGradients_, sharedGradients_;
};

class WhileLoopGradient final : public HigherOrderGradient {
public:
    explicit WhileLoopGradient(const HigherOrderCall& call) {
        for (const at::Tensor& tensor : call.groups[0]) wanted_.push_back(isDifferentiable(tensor));
        for (const at::Tensor& tensor : call.groups[1]) wanted_.push_back(tensor.requires_grad());
    }

    Forward forward(const HigherOrderCall& call) override {
        Forward result;
        result.kept = callHigherOrder("while_loop_stack_output", call);
        for (std::size_t i = 0; i < result.kept.size(); ++i) {
            const at::Tensor& steps = result.kept[i];
            result.results.push_back(steps.size(0) == 0 ? call.groups[0][i].clone() : steps.select(0, -1));
        }
        return result;
    }

    TensorVector backward(const HigherOrderCall& call, const TensorVector& kept,
                          const TensorVector& tangents) const override {
        const TensorVector &carried = call.groups[0], &shared = call.groups[1];
        const std::int64_t steps = kept.at(0).size(0);
        if (steps == 0) return joined(tangents, TensorVector(shared.size()));
        const at::Tensor counter = at::zeros({}, carried[0].options().dtype(at::kLong).requires_grad(false));
        TensorVector state{counter}, given;
        for (const at::Tensor& tangent : defined(tangents))
            state.push_back(tangent.clone(at::MemoryFormat::Contiguous));
        state = joined(state, zerosLike(differentiable(shared)));
        for (std::size_t i = 0; i < carried.size(); ++i)
            given.push_back(at::cat({carried[i].unsqueeze(0), kept[i].slice(0, 0, -1)}));
        const std::size_t ofCarried = countDifferentiable(carried), ofShared = countDifferentiable(shared);
        auto joint =
            toIValue(c10::make_intrusive<JointFunction>(call.subgraphs[1], carried.size() + shared.size(), wanted_));
        const auto body =
            toIValue(c10::make_intrusive<WhileBackward>(std::move(joint), carried.size(), ofCarried, ofShared));
        const auto condition = toIValue(c10::make_intrusive<CountsSteps>(body, steps));
        const TensorVector found = callHigherOrder("while_loop", {{condition, body}, {state, joined(given, shared)}});
        OperandList list(found);
        list.take(1);
        const TensorVector results = withUndefined(list.take(ofCarried), carried);
        return joined(results, withUndefined(list.rest(), shared));
    }

private:
    std::vector<bool> wanted_;
};

}  // namespace

std::unique_ptr<HigherOrderGradient> gradientOfWhileLoop(const HigherOrderCall& call) {
    return std::make_unique<WhileLoopGradient>(call);
}

}  // namespace aotscope
