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

    /// The node of ours that `node` belongs to; kNoNode for constants.
    NodeId origin(const torch::jit::Node& node) const;
};

/// Throws Error, naming the node, for what TorchScript cannot express.
TorchScriptGraph buildTorchScript(const Graph& graph, const ConstantTable& constants);

/// Computes now what depends on constants alone. What the graph may return, write to, or draw at random stays.
void foldConstants(torch::jit::Graph& graph);

}  // namespace aotscope
