#pragma once

#include "program/subgraph_function.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// The operators that run subgraphs. PyTorch only has them in Python (torch/_higher_order_ops); here they are
/// registered with LibTorch's dispatcher as higher_order, with kernels and gradients that follow Python's.
namespace aotscope {

using TensorVector = std::vector<at::Tensor>;

/// The type of a tensor.
struct TensorShape {
    std::vector<std::int64_t> sizes, strides;
    at::ScalarType dtype = at::kFloat;
    c10::Device device = c10::kCPU;
};
using TensorShapes = std::vector<TensorShape>;
TensorShape shapeOf(const at::Tensor& tensor);

/// The arguments of a call in groups: the subgraphs, and the tensors by argument (cond's predicate is a group of one).
struct HigherOrderCall {
    std::vector<c10::IValue> subgraphs;
    std::vector<TensorVector> groups;
};

class HigherOrderGradient;

struct HigherOrderOperator {
    const char* name;         ///< "cond" in "torch.ops.higher_order.cond"
    const char* schema;       ///< subgraphs have the type Any, groups Tensor or Tensor[]
    const char* prefixes[2];  ///< prefixes of the names of its graphs: "true_graph"
    TensorVector (*run)(const HigherOrderCall& call);
    /// The inputs of each subgraph in a step.
    TensorShapes (*stepInputs)(const HigherOrderCall& call);
    /// The results; `outputs` are those of each subgraph for one step. Throws Error if they do not match.
    TensorShapes (*results)(const HigherOrderCall& call, const std::vector<TensorShapes>& outputs);
    /// How a call is differentiated. Null if it is not differentiable.
    std::unique_ptr<HigherOrderGradient> (*gradient)(const HigherOrderCall& call);
    /// The first size of every result is the number of steps, known only at run time; 0 in the result of `results`.
    bool countsSteps = false;
};

/// Null for an operator without subgraphs.
const HigherOrderOperator* findHigherOrder(const c10::OperatorHandle& op);
/// By name; null for an unsupported one.
const HigherOrderOperator* findHigherOrder(std::string_view name);

/// The arguments on a stack. Throws Error if a subgraph is missing.
HigherOrderCall higherOrderCall(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

/// Calls through the dispatcher; `name` as in the table of operators.
TensorVector callHigherOrder(const char* name, const HigherOrderCall& call);

/// A boxed autograd kernel that creates the node for a call. Registered with the operators.
void differentiateHigherOrder(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

}  // namespace aotscope
