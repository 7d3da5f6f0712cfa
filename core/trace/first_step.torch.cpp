#include "trace/first_step.h"

#include "aten/autocast.h"
#include "program/higher_order.h"
#include "program/tensor_lists.h"
#include "support/error.h"
#include "trace/subgraph_trace.h"

#include <ATen/ops/cat.h>

#include <algorithm>

namespace aotscope {

namespace {

TensorVector runOpenly(const c10::IValue& subgraph, const TensorVector& operands) {
    return runStep(*subgraphFunction(subgraph), operands, nullptr);
}

/// Whether a step returns its carried values in other dtypes.
bool changesDtypes(const HigherOrderOperator& loop, const HigherOrderCall& call, Dialect dialect) {
    const TensorVector& carried = call.groups[0];
    const auto step = traceSubgraph(*subgraphFunction(call.subgraphs.back()), loop.stepInputs(call), "step", dialect);
    for (std::size_t i = 0; i < std::min(carried.size(), step.outputs.size()); ++i)
        if (step.outputs[i].dtype != carried[i].scalar_type()) return true;
    return false;
}

/// The loop after its first step.
TensorVector afterFirstStep(const HigherOrderOperator& loop, const HigherOrderCall& call, Dialect dialect) {
    if (changesDtypes(loop, call, dialect))
        throw Error("under autocast every step of " + std::string(loop.name) +
                    " returns what it carries in another dtype than it takes, which no graph can; convert it in the "
                    "model to the dtype that it takes");
    return callHigherOrder(loop.name, call);
}

TensorVector whileApart(const HigherOrderOperator& loop, const HigherOrderCall& call, Dialect dialect) {
    const TensorVector &carried = call.groups[0], &additional = call.groups[1];
    const TensorVector operands = joined(carried, additional);
    if (runOpenly(call.subgraphs[0], operands).at(0).item().toBool())
        return afterFirstStep(loop, {call.subgraphs, {runOpenly(call.subgraphs[1], operands), additional}}, dialect);
    TensorVector results;
    for (const at::Tensor& tensor : carried) results.push_back(tensor.clone());
    return results;
}

TensorVector scanApart(const HigherOrderOperator& loop, const HigherOrderCall& call, Dialect dialect) {
    TensorVector operands = call.groups[0], others;
    const std::size_t carried = operands.size();
    for (const at::Tensor& x : call.groups[1]) {
        operands.push_back(x.select(0, 0));
        others.push_back(x.slice(0, 1));
    }
    const TensorVector first = runOpenly(call.subgraphs[0], joined(operands, call.groups[2]));
    const auto behind = first.begin() + static_cast<std::ptrdiff_t>(carried);
    TensorVector results(first.begin(), behind), stacked;
    for (auto it = behind; it != first.end(); ++it) stacked.push_back(it->unsqueeze(0));
    if (others.at(0).size(0) == 0) return joined(results, stacked);
    const TensorVector rest = afterFirstStep(loop, {call.subgraphs, {results, others, call.groups[2]}}, dialect);
    for (std::size_t i = 0; i < stacked.size(); ++i) stacked[i] = at::cat({stacked[i], rest.at(carried + i)});
    return joined({rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(carried)}, stacked);
}

}  // namespace

bool runFirstStepApart(const c10::OperatorHandle& op, torch::jit::Stack& stack, Dialect dialect, bool mayRead) {
    const HigherOrderOperator* loop = findHigherOrder(op);
    if (!loop || !AutocastState::current().isOn()) return false;
    const bool isWhile = loop == findHigherOrder("while_loop");
    if (!isWhile && loop != findHigherOrder("scan")) return false;
    const std::size_t count = op.schema().arguments().size();
    const HigherOrderCall call = higherOrderCall(op, torch::jit::last(stack, count));
    if (!changesDtypes(*loop, call, dialect)) return false;
    if (isWhile && !mayRead)
        throw Error(
            "under autocast a while_loop within another graph returns what it carries in another dtype than it takes; "
            "convert it in the model to the dtype that it takes");
    TensorVector results = isWhile ? whileApart(*loop, call, dialect) : scanApart(*loop, call, dialect);
    torch::jit::drop(stack, count);
    stack.emplace_back(c10::List<at::Tensor>(std::move(results)));
    return true;
}

}  // namespace aotscope
