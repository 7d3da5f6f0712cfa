#pragma once

#include "ir/metadata.h"
#include "partition/joint_facts.h"
#include "record/results/operator_costs.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace aotscope {

/// For each decision of a step, whether it runs in the backward; otherwise its results are kept if they are needed.
using StepChoice = std::vector<char>;

/// A slot that never comes.
inline constexpr int kNever = std::numeric_limits<int>::max();

/// Who reads a block, or which block is read.
struct StepUse {
    int which = 0;         ///< a slot, a decision or a block
    bool inPlace = false;  ///< the reader may write its result there: then the block ends where the result begins
};

/// Memory that an operation of the forward makes: a storage with all its views. Or a copy of an input that is
/// overwritten between forward and backward, for those who read it in the backward.
struct StepBlock {
    std::int64_t bytes = 0;
    int decision = -1;              ///< that makes it; -1: the copy of an input
    int value = -1;                 ///< node of the joint graph that is saved to keep it; -1: nothing reads it
    int made = 0, lastUse = 0;      ///< positions in the forward, both included
    bool output = false;            ///< the caller holds it to the end
    bool gradient = false;          ///< returned by the backward
    std::vector<StepUse> backward;  ///< slots that read it
    std::vector<StepUse> again;     ///< decisions that read it if they run in the backward
};

/// An operation whose results are saved for the backward, or that runs in the backward.
struct StepDecision {
    int node = -1;                ///< of the joint graph; its position in the forward, too
    double ms = 0;                ///< of running it once more
    std::int64_t innerBytes = 0;  ///< allocated and freed while it runs
    std::int64_t stateBytes = 0;  ///< of the random numbers that it draws again; 0: it draws none
    bool inForward = true;        ///< the forward runs it; otherwise only the backward does
    bool mayKeep = true, mayRunAgain = true;
    int slot = kNever;           ///< where it runs, if that does not depend on who needs it
    int family = -1;             ///< the same for the same operation of equal layers; -1: it has no such others
    std::vector<StepUse> reads;  ///< blocks
    std::vector<int> makes;      ///< blocks
};

/// One step of training as a planner sees it. The backward is a sequence of slots 1, 2, ..., each with one operation
/// that depends on a tangent; what is computed again for it runs directly before it. Slot 0 is the border between
/// forward and backward, the last one the end of the backward. Everything that does not depend on decisions is in the
/// profiles.
struct StepProblem {
    std::vector<StepDecision> decisions;  ///< in the order of the joint graph
    std::vector<StepBlock> blocks;
    std::vector<int> slots;                     ///< nodes of the joint graph by slot; the first and the last are -1
    std::vector<std::int64_t> during, between;  ///< by slot: bytes alive while its operation runs; before that
    std::vector<std::int64_t> forwardInner;     ///< by position: bytes allocated and freed by an operation
    int families = 0;                           ///< see StepDecision

    int lastSlot() const { return static_cast<int>(slots.size()) - 1; }
    /// Whether the forward makes it.
    bool inForward(const StepBlock& block) const {
        return block.decision >= 0 && decisions[static_cast<std::size_t>(block.decision)].inForward;
    }
    /// One past the last position of the forward.
    int border() const { return static_cast<int>(forwardInner.size()); }
    /// What runs in the backward whatever is decided.
    StepChoice keepAll() const;
    /// Alive from the forward to the end, whatever is decided.
    std::int64_t outputBytes() const;
};

/// `metadata`: of the function; `ms`: what an operation takes; `costs`: what is known of inner bytes.
StepProblem stepProblem(const JointFacts& facts, const FunctionMetadata& metadata,
                        const std::function<double(const Node&)>& ms, const OperatorCosts& costs);

}  // namespace aotscope
