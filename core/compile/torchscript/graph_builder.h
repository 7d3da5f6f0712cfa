#pragma once

#include "ir/graph.h"
#include "program/constant_table.h"

#include <map>
#include <memory>

namespace torch::jit {
struct Graph;
struct Node;
}  // namespace torch::jit

namespace aotscope {

/// A graph in TorchScript's representation. The source range of each node is a line of our graph's text.
struct TorchScriptGraph {
    std::shared_ptr<torch::jit::Graph> graph;
    std::map<std::size_t, NodeId> lines;  ///< where the line of each call starts

    /// Our node that `node` belongs to; kNoNode for constants.
    NodeId origin(const torch::jit::Node& node) const;
};

/// Throws Error, naming the node, for anything TorchScript cannot express.
TorchScriptGraph buildTorchScript(const Graph& graph, const ConstantTable& constants);

/// Folds what depends on constants alone. Keeps what the graph may return, write to, or draw at random.
void foldConstants(torch::jit::Graph& graph);

}  // namespace aotscope
