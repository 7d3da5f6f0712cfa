#pragma once

#include "ir/graph.h"

#include <string>

namespace aotscope {

/// The origin of a node: its place in the model and, for a backward operation, the forward operation that it
/// differentiates.
struct Provenance {
    std::shared_ptr<const SourceInfo> source;  ///< null: unknown
    NodeId forward = kNoNode;
    std::string function;  ///< the autograd node, "ConvolutionBackward0"

    bool known() const { return source || forward != kNoNode || !function.empty(); }
};

/// An element of a tuple has the provenance of the tuple. A backward operation that autograd runs between its nodes
/// (such as accumulating gradients) has that of its operands.
Provenance provenanceOf(const Node& node);

/// "layer1.0.conv1 (Conv2d), model.py:12"; empty for null.
std::string placeText(const SourceInfo* source);

/// The printed form of an input that is a tensor subclass: "DTensor(f32[16, 8], Shard(0)), mesh (tp=4)"; empty for
/// other nodes.
std::string subclassOf(const Node& input);

/// One line: the autograd node, the forward operation, and the place. `forward`: the node with the id
/// provenance.forward, if the caller has it.
std::string describe(const Provenance& provenance, const Node* forward);

/// The text of the graph with a comment before each operation whose place differs from the previous one, and before
/// inputs that are tensor subclasses; the parser skips comments.
std::string printWithProvenance(const Graph& graph);

}  // namespace aotscope
