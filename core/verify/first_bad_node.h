#pragma once

#include "verify/judge/reference_values.h"

namespace aotscope {

/// A run of one graph, compared with reference values.
struct JudgedRun {
    const Graph* graph = nullptr;
    std::unordered_map<NodeId, Judgement> judgements;  ///< of placeholders and calls
    std::vector<std::size_t> badOutputs;               ///< of the graph, by position
    const Node* failed = nullptr;                      ///< the operation that threw
    std::string error;
};

/// The node responsible for wrong outputs.
struct FirstBadNode {
    const Node* node = nullptr;  ///< in the graph or, if `removed`, in the previous graph; null: none found
    bool removed = false;
    std::string reason;
    std::optional<Difference> value;
};

/// The first node with a wrong value that wrong outputs depend on; or, if its operation has not changed, its argument
/// without counterpart or with a change.
FirstBadNode findFirstBadNode(const JudgedRun& run, const PassReference& reference);

}  // namespace aotscope
