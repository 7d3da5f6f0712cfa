#pragma once

#include "verify/reference_values.h"

namespace aotscope {

/// What a run of one graph against reference values has shown.
struct JudgedRun {
    const Graph* graph = nullptr;
    std::unordered_map<NodeId, Judgement> judgements;  ///< of placeholders and calls
    std::vector<std::size_t> badOutputs;               ///< of the graph, by position
    const Node* failed = nullptr;                      ///< the operation that threw
    std::string error;
};

/// The node to blame for wrong outputs.
struct FirstBadNode {
    const Node* node = nullptr;  ///< of the graph or, if `removed`, of the graph before; null: none found
    bool removed = false;
    std::string reason;
    std::optional<Difference> value;
};

/// Of the nodes that wrong outputs are computed from, the first one whose value is wrong; or, where its operation is
/// what it was before, the argument of it that has no counterpart or is not what it was.
FirstBadNode findFirstBadNode(const JudgedRun& run, const PassReference& reference);

}  // namespace aotscope
