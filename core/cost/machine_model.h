#pragma once

#include "cost/node_cost.h"
#include "record/results/machine_load.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// A rate: a fixed latency, then constant throughput.
struct Pace {
    double latency = 0;    ///< seconds
    double perSecond = 1;  ///< units of work
    double seconds(double amount) const { return amount > 0 ? latency + amount / perSecond : 0; }
};

/// Memory bandwidth: it falls with size, once data no longer fits into caches.
struct Bandwidth {
    double smallBytes = 1, small = 1;  ///< bytes per second up to that size
    double largeBytes = 2, large = 1;  ///< and from that size on; interpolated by the logarithm of the size in between
    double seconds(double bytes) const;
};

/// How fast a machine does each kind of work of NodeCost.
struct MachineModel {
    Bandwidth bytes;        ///< read and written by an elementwise operation
    Pace stridedBytes;      ///< where the memory order changes
    double freshBytes = 1;  ///< per second: first use of memory from the system
    Pace matrixFlops, batchedFlops, convolutionFlops, convolutionBackwardFlops, attentionFlops;
    Pace halfProducts{0, 0};  ///< the same for 16-bit floating point; perSecond 0: not known, as for others
    /// Elements.
    Pace transcendentals, heavyFunctions, randomNumbers, reductions, batchNorms, windows, conversions;
    double overhead = 0;      ///< seconds of any operation
    double viewOverhead = 0;  ///< of an operation that computes nothing
    double calibrationMs = 0;
    double disagreement = 1;  ///< of the repetitions of the calibration; see disagreementOf
    double waiting = 1;       ///< wall time of its shortest runs, divided by the CPU time that they took
    std::string assumed;      ///< name of the simulated machine; empty: this machine, measured

    /// Whether other work disturbed the calibration so much that estimates mean nothing. Repeated measurements on a
    /// quiet machine find the same shortest times; other programs lengthen some of them. If they occupy a core all the
    /// time, all measurements agree, but spend most of their time waiting.
    bool disturbed() const { return disagreement > kMostDisturbance || waiting > kMostDisturbance; }
};

/// Calls `visit(name, pace)` for each pace of a model.
template <typename Model, typename Visit>
void forEachPace(Model& model, const Visit& visit) {
    visit("strided_bytes", model.stridedBytes);
    visit("matrix_flops", model.matrixFlops);
    visit("batched_matrix_flops", model.batchedFlops);
    visit("convolution_flops", model.convolutionFlops);
    visit("convolution_backward_flops", model.convolutionBackwardFlops);
    visit("attention_flops", model.attentionFlops);
    visit("transcendentals", model.transcendentals);
    visit("heavy_functions", model.heavyFunctions);
    visit("random_numbers", model.randomNumbers);
    visit("reductions", model.reductions);
    visit("batch_norms", model.batchNorms);
    visit("windows", model.windows);
    visit("conversions", model.conversions);
}

/// How far repeated measurements disagree: the median, over all measurements, of the second shortest time divided by
/// the shortest. 1: all found their shortest time twice. `seconds`: for each measurement, its repetitions, two or more.
double disagreementOf(const std::vector<std::vector<double>>& seconds);

/// A device's model, for code that may not need it: it may have to be measured.
using MachineSource = std::function<MachineModel()>;

/// The result of a recalibration.
struct Recalibration {
    MachineModel machine;
    std::string note;  ///< why the new measurement is not used, as a sentence; empty: it is
};

/// Which of the two to use from now on; if both are disturbed, neither, but the rates of `usual`, which then counts as
/// disturbed. `earlier` may be empty.
Recalibration betterOf(const std::optional<MachineModel>& earlier, const MachineModel& measured,
                       const MachineModel& usual);

/// The rates of a common server, on two cores.
MachineModel usualCpu();

/// An NVIDIA H100 (SXM), by its data sheet (fit/data_sheet.h).
MachineModel assumedGpu();
/// One of the two, in place of a device that cannot be measured.
MachineModel assumedMachine(const std::string& device);

/// Why estimated times are not those of this machine, or are meaningless: a clause; empty if they are reliable.
std::string disturbanceNote(const MachineModel& machine);

/// Milliseconds by the roofline model: arithmetic or memory, whichever takes longer, plus the overhead of a call.
double estimatedMs(const Node& node, const MachineModel& machine);

}  // namespace aotscope
