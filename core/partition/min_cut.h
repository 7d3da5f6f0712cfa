#pragma once

#include "partition/joint_facts.h"
#include "record/partition.h"

#include <memory>
#include <vector>

namespace aotscope {

/// The rules of one cut, as the memory budget sharpens them.
struct CutRules : MinCutOptions {
    /// Nothing but what cannot be repeated is banned, and inputs are saved for free.
    bool recomputeEverything = false;
};

/// A minimum cut of a joint graph: the values to save, in graph order, and how that came about.
struct Cut {
    std::vector<int> saved;
    std::vector<ValueDecision> decisions;  ///< one for each node, their placements still open
    std::shared_ptr<const CutNetwork> network;

    bool banned(int i) const { return !decisions[static_cast<std::size_t>(i)].bans.empty(); }
};

/// Source of the rules: PyTorch 2.13, solve_min_cut. Throws UnboundedCut if no finite cut exists.
Cut solveMinCut(const JointFacts& facts, const CutRules& rules);

}  // namespace aotscope
