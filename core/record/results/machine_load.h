#pragma once

#include <string>

namespace aotscope {

/// How much longer than on a quiet machine a measurement may take before it means nothing.
inline constexpr double kMostDisturbance = 1.25;

/// What else the machine did while times were measured.
struct MachineLoad {
    double waiting = 1;                 ///< wall time divided by the measuring thread's CPU time; 1 for a GPU
    int threads = 0, usualThreads = 0;  ///< of an operation, and on a quiet machine; 0: not known

    /// Whether times mean little, because the measuring thread often had to wait for a core.
    bool disturbed() const { return waiting > kMostDisturbance; }
};

/// Why times are not those of a quiet machine: a clause; empty if they are.
std::string disturbanceNote(const MachineLoad& load);

}  // namespace aotscope
