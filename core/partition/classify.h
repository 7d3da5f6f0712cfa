#pragma once

#include "ir/graph.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace aotscope {

using NodeSet = std::unordered_set<const Node*>;

/// The sets that both partitioners start from.
struct NodeClasses {
    NodeSet requiredForward;   ///< needed for the forward outputs; all placeholders but tangents; random operations
    NodeSet requiredBackward;  ///< depends on a tangent, or is a gradient
    NodeSet dependsOnTangent;
    std::vector<const Node*> forwardOrder;                ///< requiredForward in graph order
    std::unordered_map<const Node*, int> orderInForward;  ///< position in forwardOrder
    std::unordered_map<const Node*, std::int64_t>
        distance;  ///< operations to the nearest backward use; 0 outside the forward

    bool inForward(const Node* node) const { return requiredForward.contains(node); }
    bool inBackward(const Node* node) const { return requiredBackward.contains(node); }
};

/// Distance of a value that only the output uses.
inline constexpr std::int64_t kFarFromBackward = 1'000'000'000;

NodeClasses classifyNodes(const Graph& joint);

/// True for a placeholder that is an input of the forward.
inline bool isPrimal(const Node& node) { return node.kind() == NodeKind::placeholder && node.role != Role::tangent; }

/// True if removing, repeating or merging the node would change the random numbers that the program draws.
bool drawsRandomNumbers(const Node& node);

/// True for an operation that is there for what it does, whether or not its result is used: a write or an assertion.
bool hasEffect(const Node& node);

}  // namespace aotscope
