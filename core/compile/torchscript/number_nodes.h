#pragma once

#include "ir/graph.h"

#include <vector>

namespace torch::jit {
struct Graph;
struct Node;
struct Value;
}  // namespace torch::jit

namespace aotscope {

/// The nodes, not inserted yet, that compute what `node`, arithmetic on numbers, does; the last one returns the result.
/// Throws Error for arithmetic that TorchScript lacks.
std::vector<torch::jit::Node*> numberNodes(torch::jit::Graph& graph, const Node& node,
                                           const std::vector<torch::jit::Value*>& inputs);

/// Turns a number of any kind into one of `kind`.
torch::jit::Node* conversionNode(torch::jit::Graph& graph, torch::jit::Value* number, ScalarType::Kind kind);

}  // namespace aotscope
