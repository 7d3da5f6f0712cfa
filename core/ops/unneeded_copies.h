#pragma once

#include "ir/graph.h"

#include <utility>
#include <vector>

namespace aotscope {

/// What `node` copies into new memory, if the copy has the dtype, device, sizes and strides of its original for all
/// values of the symbols; null for any other operation.
const Node* copiedAsItIs(const Node& node);

/// A copy that its original can stand in for.
struct UnneededCopy {
    const Node* copy = nullptr;
    const Node* original = nullptr;  ///< may be an unneeded copy, too
};

/// The copies in a functional graph without which its results and the caller's memory stay as they are, in order: those
/// of the whole memory of an original, where nobody writes into either, neither the graph nor the caller. The caller
/// may write into inputs, except tangents, and into outputs. Copies in subgraphs are left out. Eager has none of most:
/// exporting makes them, of dropout with probability 0 for example.
std::vector<UnneededCopy> unneededCopies(const Graph& graph);

/// Replaces these copies by their originals, and appends (copy, original) pairs to `dropped`. Returns whether anything
/// changed.
bool dropUnneededCopies(Graph& graph, std::vector<std::pair<NodeId, NodeId>>& dropped);

}  // namespace aotscope
