#pragma once

#include "partition/plan/moments_program.h"
#include "partition/plan/plan_search.h"

namespace aotscope {

/// What is proved about all choices of a step under a limit: those that keep or compute again each value of the
/// forward, at most once, with the backward in its order.
struct PlanBound {
    enum class Status : std::uint8_t {
        open,        ///< no plan is known to be the best
        optimal,     ///< nothing recomputes less than the best plan found
        infeasible,  ///< nothing fits
    } status = Status::open;
    double ms = 0;         ///< nothing recomputes less
    double msPerByte = 0;  ///< by how much less nothing recomputes with one byte more; 0: not known

    friend bool operator==(const PlanBound&, const PlanBound&) = default;
};

/// Whether a plan that recomputes for `ms` is the best one if nothing recomputes less than `boundMs`.
bool provesBest(double boundMs, double ms);

/// A bound from the memory at the border between forward and backward alone, for any step, in a moment.
double boundAtBorder(StepSimulator& simulator, std::int64_t limit);

/// Solves programs with ever more moments, at first the highest of a few windows, then those at which their solutions
/// break the limit, until a solution fits: it is the best one. Solutions are plans for `search`, too, whose best plan
/// the bound is about. For up to `seconds`.
PlanBound proveBest(PlanSearch& search, std::int64_t limit, const ProgramSolver& solver, double seconds,
                    const Progress& progress);

/// The same for the lowest peak that any choice can have, in bytes: no choice has a lower one.
std::int64_t boundOfPeak(PlanSearch& search, const ProgramSolver& solver, double seconds, const Progress& progress);

}  // namespace aotscope
