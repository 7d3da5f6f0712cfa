#pragma once

#include "program/subgraph_function.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// The operators that run subgraphs. PyTorch has them in Python only (torch/_higher_order_ops); here they are operators
/// of LibTorch's dispatcher, in the namespace higher_order, with kernels and gradients that follow Python's.
namespace aotscope {

using TensorVector = std::vector<at::Tensor>;

/// What a tensor looks like.
struct TensorShape {
    std::vector<std::int64_t> sizes, strides;
    at::ScalarType dtype = at::kFloat;
    c10::Device device = c10::kCPU;
};
using TensorShapes = std::vector<TensorShape>;
TensorShape shapeOf(const at::Tensor& tensor);

/// The arguments of a call, in groups: the subgraphs, and the tensors by argument (cond's predicate is a group of one).
struct HigherOrderCall {
    std::vector<c10::IValue> subgraphs;
    std::vector<TensorVector> groups;
};

class HigherOrderGradient;

struct HigherOrderOperator {
    const char* name;         ///< "cond" of "torch.ops.higher_order.cond"
    const char* schema;       ///< the subgraphs are of type Any, the groups Tensor or Tensor[]
    const char* prefixes[2];  ///< what the names of its graphs start with: "true_graph"
    TensorVector (*run)(const HigherOrderCall& call);
    /// What each subgraph gets at a step.
    TensorShapes (*stepInputs)(const HigherOrderCall& call);
    /// The results; `outputs` are those of each subgraph for one step. Throws Error where they do not fit.
    TensorShapes (*results)(const HigherOrderCall& call, const std::vector<TensorShapes>& outputs);
    /// How a call is differentiated. Null: it is not.
    std::unique_ptr<HigherOrderGradient> (*gradient)(const HigherOrderCall& call);
    /// The first size of every result is the number of steps, which only a run knows; 0 in what `results` returns.
    bool countsSteps = false;
};

/// Null for an operator that runs no subgraphs.
const HigherOrderOperator* findHigherOrder(const c10::OperatorHandle& op);
/// By its name; null for one that this program does not run.
const HigherOrderOperator* findHigherOrder(std::string_view name);

/// The arguments as they stand on a stack. Throws Error if a subgraph is none.
HigherOrderCall higherOrderCall(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);
/// The reverse.
std::vector<c10::IValue> stackOf(const c10::OperatorHandle& op, const HigherOrderCall& call);

/// Through the dispatcher; `name` as in the table of operators.
TensorVector callHigherOrder(const char* name, const HigherOrderCall& call);

/// A boxed kernel for autograd: makes the node that differentiates a call. Registered with the operators.
void differentiateHigherOrder(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

}  // namespace aotscope
