#include "program/higher_order_kernels.h"

#include "support/budget.h"
#include "support/error.h"
#include "support/names.h"

#include <ATen/ops/stack.h>

#include <algorithm>
#include <functional>

namespace aotscope {

namespace {

/// Nothing else ends an endless loop once the model is open.
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

TensorShapes shapesOf(const TensorVector& tensors) {
    TensorShapes shapes;
    for (const at::Tensor& tensor : tensors) shapes.push_back(shapeOf(tensor));
    return shapes;
}

void append(TensorShapes& list, const TensorVector& more) {
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

/// `steps` has the results of each step.
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

}  // namespace

// --- cond(predicate, true_graph, false_graph, operands) ---

TensorVector runCond(const HigherOrderCall& call) {
    return step(call, isTrue(call.groups[0].at(0), "cond") ? 0 : 1, call.groups[1]);
}

TensorShapes condInputs(const HigherOrderCall& call) { return shapesOf(call.groups[1]); }

TensorShapes condResults(const HigherOrderCall&, const std::vector<TensorShapes>& outputs) {
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

TensorShapes mapInputs(const HigherOrderCall& call) {
    stepsOver(call.groups[0], "map");
    TensorShapes shapes;
    for (const at::Tensor& x : call.groups[0]) shapes.push_back(sliceOf(x));
    append(shapes, call.groups[1]);
    return shapes;
}

TensorShapes mapResults(const HigherOrderCall& call, const std::vector<TensorShapes>& outputs) {
    TensorShapes shapes;
    for (const TensorShape& output : outputs[0]) shapes.push_back(stacked(output, call.groups[0][0].size(0)));
    return shapes;
}

// --- while_loop(cond_graph, body_graph, carried, additional) ---

namespace {

/// Calls `onStep` with the carried values after every step, and returns the final ones.
TensorVector runLoop(const HigherOrderCall& call, const std::function<void(const TensorVector&)>& onStep) {
    TensorVector carried;
    for (const at::Tensor& t : call.groups[0]) carried.push_back(t.clone());
    for (int i = 0; i <= kMostSteps; ++i) {
        TensorVector operands = carried;
        append(operands, call.groups[1]);
        const TensorVector predicate = step(call, 0, operands);
        if (predicate.size() != 1) throw Error("the condition of while_loop must return one tensor");
        if (!isTrue(predicate[0], "while_loop")) return carried;
        carried = step(call, 1, operands);
        onStep(carried);
    }
    throw Error("while_loop ran " + std::to_string(kMostSteps) +
                " steps without ending; make its condition false sooner");
}

}  // namespace

TensorVector runWhile(const HigherOrderCall& call) {
    return runLoop(call, [](const TensorVector&) {});
}

TensorShapes whileInputs(const HigherOrderCall& call) {
    TensorShapes shapes = shapesOf(call.groups[0]);
    append(shapes, call.groups[1]);
    return shapes;
}

TensorShapes whileResults(const HigherOrderCall& call, const std::vector<TensorShapes>& outputs) {
    const auto carried = shapesOf(call.groups[0]);
    if (!std::equal(carried.begin(), carried.end(), outputs[1].begin(), outputs[1].end(), alike))
        throw Error("the body of while_loop must return tensors of the sizes and dtypes that it takes");
    return outputs[1];
}

// --- while_loop_stack_output: the same arguments; the carried values after each step, stacked

TensorVector runWhileStacked(const HigherOrderCall& call) {
    std::vector<TensorVector> steps;
    runLoop(call, [&](const TensorVector& carried) { steps.push_back(carried); });
    if (!steps.empty()) return stackSteps(steps, 0);
    TensorVector none;
    for (const at::Tensor& t : call.groups[0]) none.push_back(t.unsqueeze(0).slice(0, 0, 0).clone());
    return none;
}

TensorShapes whileStackedResults(const HigherOrderCall& call, const std::vector<TensorShapes>& outputs) {
    TensorShapes shapes;
    for (const TensorShape& output : whileResults(call, outputs)) shapes.push_back(stacked(output, 0));
    return shapes;
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

TensorShapes scanInputs(const HigherOrderCall& call) {
    stepsOver(call.groups[1], "scan");
    TensorShapes shapes = shapesOf(call.groups[0]);
    for (const at::Tensor& x : call.groups[1]) shapes.push_back(sliceOf(x));
    append(shapes, call.groups[2]);
    return shapes;
}

TensorShapes scanResults(const HigherOrderCall& call, const std::vector<TensorShapes>& outputs) {
    const auto init = shapesOf(call.groups[0]);
    if (outputs[0].size() < init.size() || !std::equal(init.begin(), init.end(), outputs[0].begin(), alike))
        throw Error("the graph of scan must return what it carries in the sizes and dtypes that it takes");
    TensorShapes shapes(outputs[0].begin(), outputs[0].begin() + static_cast<std::ptrdiff_t>(init.size()));
    for (std::size_t i = init.size(); i < outputs[0].size(); ++i)
        shapes.push_back(stacked(outputs[0][i], call.groups[1][0].size(0)));
    return shapes;
}
// --- associative_scan(combine_graph, xs, additional) ---

TensorVector runAssociativeScan(const HigherOrderCall& call) {
    const std::int64_t count = stepsOver(call.groups[0], "associative_scan");
    std::vector<TensorVector> steps{slices(call.groups[0], 0)};
    for (std::int64_t i = 1; i < count; ++i) {
        TensorVector operands = steps.back();
        append(operands, slices(call.groups[0], i));
        append(operands, call.groups[1]);
        steps.push_back(step(call, 0, operands));
        if (steps.back().size() != call.groups[0].size())
            throw Error("the graph of associative_scan must return as many tensors as there are to go over");
    }
    return stackSteps(steps, 0);
}

TensorShapes associativeScanInputs(const HigherOrderCall& call) {
    stepsOver(call.groups[0], "associative_scan");
    TensorShapes shapes;
    for (int side = 0; side < 2; ++side)
        for (const at::Tensor& x : call.groups[0]) shapes.push_back(sliceOf(x));
    append(shapes, call.groups[1]);
    return shapes;
}

TensorShapes associativeScanResults(const HigherOrderCall& call, const std::vector<TensorShapes>& outputs) {
    const TensorVector& xs = call.groups[0];
    const auto same = [](const TensorShape& output, const at::Tensor& x) { return alike(output, sliceOf(x)); };
    if (!std::equal(outputs[0].begin(), outputs[0].end(), xs.begin(), xs.end(), same))
        throw Error("the graph of associative_scan must return tensors of the sizes and dtypes that it takes");
    TensorShapes shapes;
    for (const TensorShape& output : outputs[0]) shapes.push_back(stacked(output, xs[0].size(0)));
    return shapes;
}

}  // namespace aotscope
