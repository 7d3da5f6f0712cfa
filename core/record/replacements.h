#pragma once

#include "record/compile_record.h"

namespace aotscope {

/// Operations replaced by others in a pass: one by several, or several by one. The first on each side represents all.
struct Replacement {
    std::vector<NodeId> before, after;
};
using Replacements = std::vector<Replacement>;

/// Replacements by decomposition rules: the n-th call of an operation is the n-th that was rewritten, per source
/// operation. `after` is the decomposed graph.
Replacements replacedByRules(const std::vector<Rewrite>& rewrites, const Graph& before, const Graph& after);

/// Replacements by source location: operations without a partner are replaced by others without one that come from the
/// same call on the same line and use the same values. `paired`: nodes with a partner; `replaced`: known replacements.
Replacements replacedInSource(const Graph& before, const Graph& after, const NodePairs& paired,
                              const Replacements& replaced);

/// Tuple elements without a partner are replaced together with the operation that computes the tuple.
void takeElements(const Graph& before, const Graph& after, const NodePairs& paired, Replacements& replaced);

/// "batch_norm -> _native_batch_norm_legit, empty"
std::string describeReplacement(const Replacement& replacement, const Graph& before, const Graph& after);

}  // namespace aotscope
