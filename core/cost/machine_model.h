#pragma once

#include "cost/node_cost.h"

#include <string>

namespace aotscope {

/// Work that takes some time to begin, and then goes on at an even pace.
struct Pace {
    double latency = 0;    ///< seconds
    double perSecond = 1;  ///< units of work
    double seconds(double amount) const { return amount > 0 ? latency + amount / perSecond : 0; }
};

/// Moving bytes: the more there are, the farther from the processor they lie.
struct Bandwidth {
    double smallBytes = 1, small = 1;  ///< bytes per second up to that size
    double largeBytes = 2, large = 1;  ///< and from that size on; in between by the logarithm of the size
    double seconds(double bytes) const;
};

/// How fast a machine does the kinds of work of NodeCost.
struct MachineModel {
    Bandwidth bytes;        ///< read and written by an elementwise operation
    Pace stridedBytes;      ///< where the order in memory changes
    double freshBytes = 1;  ///< per second: first use of memory that comes from the system
    Pace matrixFlops, batchedFlops, convolutionFlops, convolutionBackwardFlops, attentionFlops;
    /// Elements.
    Pace transcendentals, heavyFunctions, randomNumbers, reductions, batchNorms, windows, conversions;
    double overhead = 0;      ///< seconds of any operation
    double viewOverhead = 0;  ///< of one that computes nothing
    double calibrationMs = 0;
    /// How often something else took the processor from the calibration, per second of it.
    double interruptions = 0;
    std::string assumed;  ///< the machine that this is, if it is none that was measured

    /// Whether the machine had so much other work that everything seems slower than it is.
    bool disturbed() const { return interruptions > 100; }
};

/// The model of `device` ("cpu", "cuda:0"), measured at the first call in less than 200 ms and kept for the process; of
/// a device that nothing can run on here, that of an assumed GPU. Safe to call from several threads.
const MachineModel& machineModel(const std::string& device = "cpu");

/// The figures of an NVIDIA H100 (SXM) as its maker and usual benchmarks give them, in single precision.
MachineModel assumedGpu();

/// A sentence on the accuracy of estimated times; empty if the machine was idle during calibration.
std::string disturbanceNote(const MachineModel& machine);

/// By the roofline: the arithmetic or the memory, whichever takes longer, and the overhead of a call.
double estimatedMs(const Node& node, const MachineModel& machine);

}  // namespace aotscope
