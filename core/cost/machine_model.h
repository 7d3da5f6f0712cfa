#pragma once

#include "cost/node_cost.h"

#include <string>

namespace aotscope {

/// A rate: a fixed latency, then work at an even pace.
struct Pace {
    double latency = 0;    ///< seconds
    double perSecond = 1;  ///< units of work
    double seconds(double amount) const { return amount > 0 ? latency + amount / perSecond : 0; }
};

/// Memory bandwidth: it falls with size, as data no longer fits into caches.
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
    /// How often other programs interrupted the calibration, per second.
    double interruptions = 0;
    std::string assumed;  ///< name of the simulated machine; empty: this one, measured

    /// Whether other work slowed the calibration down so much that all estimates are too long.
    bool disturbed() const { return interruptions > 100; }
};

/// The model of `device` ("cpu", "cuda:0"), measured at the first call in less than 200 ms and kept for the process;
/// for a device that nothing can run on, that of a simulated GPU. Thread-safe.
const MachineModel& machineModel(const std::string& device = "cpu");

/// Single-precision figures of an NVIDIA H100 (SXM), from its data sheet and common benchmarks.
MachineModel assumedGpu();

/// A sentence on the accuracy of estimated times; empty if the machine was idle during calibration.
std::string disturbanceNote(const MachineModel& machine);

/// Milliseconds by the roofline model: arithmetic or memory, whichever takes longer, plus the overhead of a call.
double estimatedMs(const Node& node, const MachineModel& machine);

}  // namespace aotscope
