#pragma once

#include "record/compile_record.h"

namespace aotscope {

/// Operations that a pass replaced by others: one by several, or several by one. The first of each side stands for all.
struct Replacement {
    std::vector<NodeId> before, after;
};
using Replacements = std::vector<Replacement>;

/// By the rules of decompositions: the n-th call of an operation is the n-th that was rewritten, source operation by
/// source operation. `after` is the graph that decompositions have been applied to.
Replacements replacedByRules(const std::vector<Rewrite>& rewrites, const Graph& before, const Graph& after);

/// By the program: operations without a partner are replaced by those without one that come from the same call of the
/// same line and use the same values. `paired`: nodes with a partner; `replaced`: what is known to be replaced.
Replacements replacedInSource(const Graph& before, const Graph& after, const NodePairs& paired,
                              const Replacements& replaced);

/// Elements of a tuple that have no partner are replaced together with the operation that makes the tuple.
void takeElements(const Graph& before, const Graph& after, const NodePairs& paired, Replacements& replaced);

/// "batch_norm -> _native_batch_norm_legit, empty"
std::string describeReplacement(const Replacement& replacement, const Graph& before, const Graph& after);

}  // namespace aotscope
