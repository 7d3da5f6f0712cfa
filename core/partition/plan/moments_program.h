#pragma once

#include "partition/plan/linear_program.h"
#include "partition/plan/priced_cut.h"
#include "partition/plan/step_simulator.h"

#include <compare>
#include <vector>

namespace aotscope {

/// A moment of the backward at which memory is limited: the operation of a slot, or a decision that runs before it.
struct LimitedMoment {
    static constexpr int kOperation = std::numeric_limits<int>::max();
    int slot = 0;
    int decision = kOperation;

    auto operator<=>(const LimitedMoment&) const = default;
};

/// The moments at which a program limits memory.
struct LimitedMoments {
    std::vector<LimitedMoment> backward;
    std::vector<int> forward;  ///< positions, besides a few that the program finds itself
};

/// The choice of a step as an integer program with memory limited at some moments only: a relaxation, whose optimum no
/// choice under the limit undercuts. Between two moments lies a stage. Columns: what is kept over the border, what runs
/// in each stage, and what is alive at its end. Each decision runs in the backward at most once.
class MomentsProgram {
public:
    /// `limit`: bytes at each moment. `leastPeak`: minimises the peak instead of the time; `limit` does not count.
    MomentsProgram(const StepProblem& model, std::int64_t limit, LimitedMoments moments, bool leastPeak = false);

    const LinearProgram& program() const { return program_; }
    /// What memory costs at its moments, by the prices of a relaxation.
    MemoryPrices pricesOf(const std::vector<double>& rows) const;
    /// Of a solution.
    StepChoice choiceOf(const std::vector<double>& values) const;
    /// The solution that a choice is, to begin with; empty if it does not show what is alive at all moments.
    std::vector<double> valuesOf(StepSimulator& simulator, const StepChoice& choice) const;
    /// Bytes for one unit of the objective, if that is the peak.
    double unit() const { return unit_; }

private:
    using Terms = std::vector<LinearProgram::Term>;
    struct Stage {
        LimitedMoment begin, end;
    };

    void findLastUses();
    int lastUseOf(const StepBlock& block) const;
    void addColumns();
    void runOnce(std::size_t decision);
    void addLives(int block);
    void addBackwardLimits();
    void addForwardLimits();
    Terms availableAt(int block, int stage) const;
    int stageOf(int slot) const;
    bool mayRun(int decision, int stage) const;
    /// `slot`: of a moment in the backward; otherwise `position`, of one in the forward.
    void limitMemory(double fixed, Terms terms, int slot, int position);

    const StepProblem& model_;
    double limit_, unit_;
    std::vector<LimitedMoment> moments_;  ///< of the backward
    std::vector<int> forward_;
    LinearProgram program_;
    struct LimitRow {
        std::size_t row;
        int slot, position;
    };
    std::vector<LimitRow> limits_;
    int peak_ = -1;                        ///< the column of the peak, if that is minimised
    std::vector<int> lastUse_;             ///< by decision: the last slot where its results can matter; 0: none
    std::vector<int> kept_;                ///< by block: its column; -1: none
    std::vector<std::vector<int>> runs_;   ///< by decision and stage
    std::vector<std::vector<int>> alive_;  ///< by block and moment
};

}  // namespace aotscope
