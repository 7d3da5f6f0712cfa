#include "program/higher_order.h"

#include "support/budget.h"
#include "support/error.h"
#include "support/names.h"

#include <ATen/ops/stack.h>
#include <torch/library.h>

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

/// Nothing else ends a loop whose condition always holds once the model is open.
constexpr int kMostSteps = 500'000;

/// Loops check the budget, since a file can ask for any number of steps.
void checkBudget() {
    if (const Budget* budget = BudgetScope::current()) budget->checkCancelled();
    if (ForeignRun* run = ForeignRun::current()) run->check();
}

TensorVector step(const HigherOrderCall& call, std::size_t subgraph, const TensorVector& operands) {
    checkBudget();
    return runStep(*subgraphFunction(call.subgraphs[subgraph]), operands, nullptr);
}

void append(TensorVector& list, const TensorVector& more) { list.insert(list.end(), more.begin(), more.end()); }

std::vector<TensorShape> shapesOf(const TensorVector& tensors) {
    std::vector<TensorShape> shapes;
    for (const at::Tensor& tensor : tensors) shapes.push_back(shapeOf(tensor));
    return shapes;
}

void append(std::vector<TensorShape>& list, const TensorVector& more) {
    for (const at::Tensor& tensor : more) list.push_back(shapeOf(tensor));
}

/// An element along the first dimension.
TensorShape sliceOf(const at::Tensor& tensor) {
    TensorShape shape = shapeOf(tensor);
    shape.sizes.erase(shape.sizes.begin());
    shape.strides = contiguousStrides(shape.sizes);
    return shape;
}

TensorShape stacked(TensorShape shape, std::int64_t count) {
    shape.sizes.insert(shape.sizes.begin(), count);
    shape.strides = contiguousStrides(shape.sizes);
    return shape;
}

/// The number of steps over `xs`, the same for all of them.
std::int64_t stepsOver(const TensorVector& xs, const char* name) {
    if (xs.empty()) throw Error(std::string(name) + " needs a tensor to go over");
    for (const at::Tensor& x : xs)
        if (x.dim() == 0 || x.size(0) != xs[0].size(0) || x.size(0) == 0)
            throw Error(std::string(name) + " needs tensors of the same, positive first size to go over");
    return xs[0].size(0);
}

TensorVector slices(const TensorVector& xs, std::int64_t i) {
    TensorVector found;
    for (const at::Tensor& x : xs) found.push_back(x.select(0, i));
    return found;
}

/// `steps` holds the results of each step.
TensorVector stackSteps(const std::vector<TensorVector>& steps, std::size_t first) {
    TensorVector results;
    for (std::size_t k = first; k < steps.front().size(); ++k) {
        TensorVector all;
        for (const TensorVector& one : steps) all.push_back(one.at(k));
        results.push_back(at::stack(all));
    }
    return results;
}

bool alike(const TensorShape& a, const TensorShape& b) {
    return a.sizes == b.sizes && a.dtype == b.dtype && a.device == b.device;
}

bool isTrue(const at::Tensor& predicate, const char* name) {
    if (predicate.numel() != 1) throw Error("the predicate of " + std::string(name) + " must be a single element");
    return predicate.item().toBool();
}

// --- cond(predicate, true_graph, false_graph, operands) ---

TensorVector runCond(const HigherOrderCall& call) {
    return step(call, isTrue(call.groups[0].at(0), "cond") ? 0 : 1, call.groups[1]);
}

std::vector<TensorShape> condInputs(const HigherOrderCall& call) { return shapesOf(call.groups[1]); }

std::vector<TensorShape> condResults(const HigherOrderCall&, const std::vector<std::vector<TensorShape>>& outputs) {
    if (!std::equal(outputs[0].begin(), outputs[0].end(), outputs[1].begin(), outputs[1].end(), alike))
        throw Error(
            "the two graphs of cond return tensors of different sizes or dtypes; make both return the same kind");
    return outputs[0];
}

// --- map_impl(body_graph, xs, args) ---

TensorVector runMap(const HigherOrderCall& call) {
    std::vector<TensorVector> steps;
    for (std::int64_t i = 0; i < stepsOver(call.groups[0], "map"); ++i) {
        TensorVector operands = slices(call.groups[0], i);
        append(operands, call.groups[1]);
        steps.push_back(step(call, 0, operands));
    }
    return stackSteps(steps, 0);
}

std::vector<TensorShape> mapInputs(const HigherOrderCall& call) {
    stepsOver(call.groups[0], "map");
    std::vector<TensorShape> shapes;
    for (const at::Tensor& x : call.groups[0]) shapes.push_back(sliceOf(x));
    append(shapes, call.groups[1]);
    return shapes;
}

std::vector<TensorShape> mapResults(const HigherOrderCall& call, const std::vector<std::vector<TensorShape>>& outputs) {
    std::vector<TensorShape> shapes;
    for (const TensorShape& output : outputs[0]) shapes.push_back(stacked(output, call.groups[0][0].size(0)));
    return shapes;
}

// --- while_loop(cond_graph, body_graph, carried, additional) ---

TensorVector runWhile(const HigherOrderCall& call) {
    TensorVector carried;
    for (const at::Tensor& t : call.groups[0]) carried.push_back(t.clone());
    for (int i = 0; i <= kMostSteps; ++i) {
        TensorVector operands = carried;
        append(operands, call.groups[1]);
        const TensorVector predicate = step(call, 0, operands);
        if (predicate.size() != 1) throw Error("the condition of while_loop must return one tensor");
        if (!isTrue(predicate[0], "while_loop")) return carried;
        carried = step(call, 1, operands);
    }
    throw Error("while_loop has run " + std::to_string(kMostSteps) +
                " steps without coming to its end; make its condition false sooner");
}

std::vector<TensorShape> whileInputs(const HigherOrderCall& call) {
    std::vector<TensorShape> shapes = shapesOf(call.groups[0]);
    append(shapes, call.groups[1]);
    return shapes;
}

std::vector<TensorShape> whileResults(const HigherOrderCall& call,
                                      const std::vector<std::vector<TensorShape>>& outputs) {
    const auto carried = shapesOf(call.groups[0]);
    if (!std::equal(carried.begin(), carried.end(), outputs[1].begin(), outputs[1].end(), alike))
        throw Error("the body of while_loop must return tensors of the sizes and dtypes that it takes");
    return outputs[1];
}

// --- scan(combine_graph, init, xs, additional) ---

TensorVector runScan(const HigherOrderCall& call) {
    TensorVector carry = call.groups[0];
    std::vector<TensorVector> steps;
    for (std::int64_t i = 0; i < stepsOver(call.groups[1], "scan"); ++i) {
        TensorVector operands = carry;
        append(operands, slices(call.groups[1], i));
        append(operands, call.groups[2]);
        steps.push_back(step(call, 0, operands));
        if (steps.back().size() < carry.size()) throw Error("the graph of scan returns fewer tensors than it carries");
        std::copy_n(steps.back().begin(), carry.size(), carry.begin());
    }
    append(carry, stackSteps(steps, carry.size()));
    return carry;
}

std::vector<TensorShape> scanInputs(const HigherOrderCall& call) {
    stepsOver(call.groups[1], "scan");
    std::vector<TensorShape> shapes = shapesOf(call.groups[0]);
    for (const at::Tensor& x : call.groups[1]) shapes.push_back(sliceOf(x));
    append(shapes, call.groups[2]);
    return shapes;
}

std::vector<TensorShape> scanResults(const HigherOrderCall& call,
                                     const std::vector<std::vector<TensorShape>>& outputs) {
    const auto init = shapesOf(call.groups[0]);
    if (outputs[0].size() < init.size() || !std::equal(init.begin(), init.end(), outputs[0].begin(), alike))
        throw Error("the graph of scan must return what it carries in the sizes and dtypes that it takes");
    std::vector<TensorShape> shapes(outputs[0].begin(), outputs[0].begin() + static_cast<std::ptrdiff_t>(init.size()));
    for (std::size_t i = init.size(); i < outputs[0].size(); ++i)
        shapes.push_back(stacked(outputs[0][i], call.groups[1][0].size(0)));
    return shapes;
}

constexpr std::array kOperators = {
    HigherOrderOperator{"cond",
                        "cond(Tensor pred, Any true_graph, Any false_graph, Tensor[] operands) -> Tensor[]",
                        {"true_graph", "false_graph"},
                        runCond,
                        condInputs,
                        condResults,
                        1},
    HigherOrderOperator{"map_impl",
                        "map_impl(Any body_graph, Tensor[] xs, Tensor[] args) -> Tensor[]",
                        {"body_graph", nullptr},
                        runMap,
                        mapInputs,
                        mapResults,
                        0},
    HigherOrderOperator{"while_loop",
                        "while_loop(Any cond_graph, Any body_graph, Tensor[] carried_inputs, Tensor[] "
                        "additional_inputs) -> Tensor[]",
                        {"while_loop_cond_graph", "while_loop_body_graph"},
                        runWhile,
                        whileInputs,
                        whileResults,
                        std::nullopt},
    HigherOrderOperator{"scan",
                        "scan(Any combine_graph, Tensor[] init, Tensor[] xs, Tensor[] additional_inputs) -> Tensor[]",
                        {"scan_combine_graph", nullptr},
                        runScan,
                        scanInputs,
                        scanResults,
                        std::nullopt},
};

void runKernel(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    const std::size_t count = op.schema().arguments().size();
    const HigherOrderCall call = higherOrderCall(op, torch::jit::last(*stack, count));
    c10::List<at::Tensor> results(findHigherOrder(op)->run(call));
    torch::jit::drop(*stack, count);
    stack->emplace_back(std::move(results));
}

TORCH_LIBRARY(higher_order, library) {
    for (const HigherOrderOperator& row : kOperators) library.def(row.schema);
}

TORCH_LIBRARY_IMPL(higher_order, CompositeExplicitAutograd, library) {
    for (const HigherOrderOperator& row : kOperators)
        library.impl(row.name, torch::CppFunction::makeFromBoxedFunction<&runKernel>());
}

TORCH_LIBRARY_IMPL(higher_order, Autograd, library) {
    for (const HigherOrderOperator& row : kOperators)
        library.impl(row.name, torch::CppFunction::makeFromBoxedFunction<&differentiateHigherOrder>());
}

}  // namespace

TensorShape shapeOf(const at::Tensor& tensor) {
    return {tensor.sizes().vec(), tensor.strides().vec(), tensor.scalar_type(), tensor.device()};
}

const HigherOrderOperator* findHigherOrder(std::string_view name) {
    const auto row = std::find_if(kOperators.begin(), kOperators.end(),
                                  [&](const HigherOrderOperator& o) { return o.name == name; });
    return row == kOperators.end() ? nullptr : &*row;
}

const HigherOrderOperator* findHigherOrder(const c10::OperatorHandle& op) {
    constexpr std::string_view space = "higher_order::";
    const std::string_view name = op.operator_name().name;
    return name.starts_with(space) ? findHigherOrder(name.substr(space.size())) : nullptr;
}

HigherOrderCall higherOrderCall(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
    HigherOrderCall call;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const c10::Argument& declared = op.schema().arguments()[i];
        if (declared.type()->kind() == c10::TypeKind::AnyType) {
            if (!subgraphFunction(arguments[i])) throw Error("argument '" + declared.name() + "' must be a graph");
            call.subgraphs.push_back(arguments[i]);
        } else if (arguments[i].isTensor()) {
            call.groups.push_back({arguments[i].toTensor()});
        } else {
            call.groups.push_back(arguments[i].toTensorVector());
        }
    }
    return call;
}

std::vector<c10::IValue> stackOf(const c10::OperatorHandle& op, const HigherOrderCall& call) {
    std::vector<c10::IValue> stack;
    std::size_t subgraph = 0, group = 0;
    for (const c10::Argument& declared : op.schema().arguments()) {
        if (declared.type()->kind() == c10::TypeKind::AnyType) stack.push_back(call.subgraphs[subgraph++]);
        else if (declared.type()->kind() == c10::TypeKind::TensorType) stack.emplace_back(call.groups[group++].at(0));
        else stack.emplace_back(c10::List<at::Tensor>(call.groups[group++]));
    }
    return stack;
}

}  // namespace aotscope
