#pragma once

#include "partition/joint_facts.h"
#include "partition/recompute_tags.h"
#include "record/partition.h"

#include <memory>
#include <vector>

namespace aotscope {

/// The rules of one cut, as changed by the memory budget.
struct CutRules : MinCutOptions {
    CutRules(const MinCutOptions& options, const RecomputeTags& asked) : MinCutOptions(options), tags(asked) {}

    const RecomputeTags& tags;
    /// Bans only what cannot be repeated, and saves inputs for free.
    bool recomputeEverything = false;
};

/// A minimum cut of a joint graph: the values to save, in graph order, with the decisions and the network.
struct Cut {
    std::vector<int> saved;
    std::vector<ValueDecision> decisions;  ///< one for each node, without placements yet
    std::shared_ptr<const CutNetwork> network;

    bool banned(int i) const { return !decisions[static_cast<std::size_t>(i)].bans.empty(); }
};

/// Source: solve_min_cut in torch/_functorch/partitioners.py (PyTorch 2.13). Throws UnboundedCut if no finite cut
/// exists.
Cut solveMinCut(const JointFacts& facts, const CutRules& rules);

}  // namespace aotscope
