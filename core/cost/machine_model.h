#pragma once

#include "cost/node_cost.h"

#include <string>

namespace aotscope {

/// A rate that depends on how much there is to do: small operands stay in a cache, but fill no pipeline.
struct Rate {
    double smallAmount = 1, small = 1;  ///< amount of work, and work per second at that amount and below
    double largeAmount = 2, large = 1;  ///< the same at that amount and above
    /// In between by the logarithm of the amount.
    double at(double amount) const;
    double seconds(double amount) const { return amount <= 0 ? 0 : amount / at(amount); }
};

/// How fast a machine does the kinds of work of NodeCost. One second for each until it is calibrated.
struct MachineModel {
    Rate bytes;         ///< read and written by an elementwise operation
    Rate stridedBytes;  ///< the same where the order in memory changes
    Rate matrixFlops, convolutionFlops, convolutionBackwardFlops, attentionFlops;
    Rate transcendentals, randomNumbers;  ///< elements
    double overhead = 0;                  ///< seconds of any operation
    double viewOverhead = 0;              ///< seconds of one that computes nothing
    double calibrationMs = 0;
};

/// The model of `device` ("cpu", "cuda:0"), measured at the first call in less than 200 ms and kept for the process.
/// Safe to call from several threads.
const MachineModel& machineModel(const std::string& device = "cpu");

/// By the roofline: the arithmetic or the memory, whichever takes longer, and the overhead of a call.
double estimatedMs(const Node& node, const MachineModel& machine);

}  // namespace aotscope
