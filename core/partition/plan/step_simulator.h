#pragma once

#include "partition/plan/step_problem.h"

namespace aotscope {

/// What a choice costs.
struct StepOutcome {
    std::int64_t peak = 0;  ///< bytes, without parameters, inputs and tangents
    double ms = 0;          ///< of what runs again
};

/// A moment of a step, with the memory alive at it.
struct SimulatedMoment {
    int slot = 0;       ///< of the backward; -1: in the forward
    int decision = -1;  ///< that runs in the backward then; -1: the operation of the slot
    int position = -1;  ///< in the forward; its border for the moment between the two
    std::int64_t bytes = 0;
};

/// Computes what live memory (cost/live_memory.h) says of the partition for a choice, without making it. Not
/// thread-safe; a copy of its own for each thread.
class StepSimulator {
public:
    explicit StepSimulator(const StepProblem& model);

    StepOutcome run(const StepChoice& choice);
    /// All moments of the last run, in order.
    std::vector<SimulatedMoment> moments() const;
    /// Of the last run: where each decision runs in the backward, if it were asked to; kNever: nothing needs it.
    int slotOf(int decision) const { return slot_[static_cast<std::size_t>(decision)]; }
    /// Blocks alive at a moment of the last run that a decision could free; `forward` as in SimulatedMoment.
    std::vector<int> aliveAt(const SimulatedMoment& moment, const StepChoice& choice) const;

    const StepProblem& model() const { return model_; }

private:
    void placeDecisions(const StepChoice& choice);
    void placeEvents(const StepChoice& choice);
    void addBlock(int block, const StepChoice& choice);
    void add(int firstEvent, int lastEvent, std::int64_t bytes);
    void addForward(int first, int last, std::int64_t bytes);
    bool runsAgain(int decision, const StepChoice& choice) const {
        return decision >= 0 && choice[static_cast<std::size_t>(decision)] && slotOf(decision) != kNever;
    }
    /// The last event that reads the block; -1: none does.
    int lastEventOf(const StepBlock& block, const StepChoice& choice) const;
    bool isNeeded(const StepBlock& block, const StepChoice& choice) const;

    const StepProblem& model_;
    std::vector<int> firstRead_;          ///< by block: the first slot that reads it
    std::vector<int> slot_, event_;       ///< by decision
    std::vector<int> firstEvent_, runs_;  ///< by slot: its first event; how many decisions run there
    int events_ = 0;
    std::vector<std::int64_t> backward_, forward_;  ///< changes of memory, by event and position
};

}  // namespace aotscope
