#include "cost/machine_model.h"

#include "cost/fit/data_sheet.h"
#include "cost/subgraph_cost.h"
#include "cost/work_pace.h"
#include "device/stand_in_properties.h"
#include "ir/subgraphs.h"
#include "ops/op_table.h"
#include "record/results/statistics.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

/// Allocators keep and reuse smaller blocks.
constexpr std::int64_t kFromSystem = 32 << 20;

double computing(const Node& node, const NodeCost& cost, const MachineModel& machine) {
    const Pace* pace = paceOf(node, cost, machine);
    return pace ? pace->seconds(workOf(cost)) : 0;
}

double moving(const NodeCost& cost, const MachineModel& machine) {
    const auto bytes = static_cast<double>(cost.bytes());
    return cost.strided ? machine.stridedBytes.seconds(bytes) : machine.bytes.seconds(bytes);
}

double fetching(const NodeCost& cost, const MachineModel& machine) {
    return cost.bytesWritten > kFromSystem ? static_cast<double>(cost.bytesWritten) / machine.freshBytes : 0;
}

}  // namespace

double Bandwidth::seconds(double bytes) const {
    if (bytes <= 0) return 0;
    const double share = std::clamp(std::log(bytes / smallBytes) / std::log(largeBytes / smallBytes), 0.0, 1.0);
    return bytes / (small * std::pow(large / small, share));
}

MachineModel usualCpu() {
    MachineModel cpu;
    cpu.overhead = 1.3e-6;
    cpu.viewOverhead = 3e-7;
    cpu.bytes = {12 << 16, 1.1e11, 12 << 20, 5e10};
    cpu.freshBytes = 2e9;
    cpu.stridedBytes = {1e-6, 1e10};
    cpu.matrixFlops = {3e-6, 1.2e11};
    cpu.batchedFlops = {6e-6, 1.6e11};
    cpu.convolutionFlops = {1e-4, 1.6e11};
    cpu.convolutionBackwardFlops = {2e-4, 1.6e11};
    cpu.attentionFlops = {3e-5, 1e11};
    cpu.transcendentals = {2e-7, 1.2e9};
    cpu.heavyFunctions = {1e-6, 6e8};
    cpu.randomNumbers = {3.5e-6, 1.3e8};
    cpu.reductions = {2e-6, 4e9};
    cpu.batchNorms = {1e-5, 9e8};
    cpu.windows = {2e-6, 1.2e9};
    cpu.conversions = {1e-6, 2e9};
    return cpu;
}

MachineModel assumedGpu() { return machineBy(*dataSheetOf(kStandInGpu)); }

MachineModel assumedMachine(const std::string& device) {
    MachineModel machine = device == "cpu" ? usualCpu() : assumedGpu();
    if (machine.assumed.empty()) machine.assumed = "ordinary server CPU";
    return machine;
}

double disagreementOf(const std::vector<std::vector<double>>& seconds) {
    std::vector<double> ratios;
    for (std::vector<double> repeated : seconds) {
        std::partial_sort(repeated.begin(), repeated.begin() + 2, repeated.end());
        ratios.push_back(repeated[1] / repeated[0]);
    }
    return spreadOf(ratios).median;
}

Recalibration betterOf(const std::optional<MachineModel>& earlier, const MachineModel& measured,
                       const MachineModel& usual) {
    if (!measured.disturbed()) return {measured, {}};
    const std::string refused = "the machine was busy while it was measured: ";
    if (earlier && !earlier->disturbed()) return {*earlier, refused + "the earlier calibration stays in use"};
    MachineModel stand = usual;
    stand.assumed.clear();  // it stands for this machine
    stand.disagreement = measured.disagreement;
    stand.waiting = measured.waiting;
    stand.calibrationMs = measured.calibrationMs;
    return {stand, refused + "its rates are not used, but those of a common machine"};
}

std::string disturbanceNote(const MachineModel& machine) {
    if (!machine.assumed.empty())
        return "times are estimated for an " + machine.assumed + ", which this machine does not have";
    return machine.disturbed() ? "estimated times are unreliable, because the machine was busy during its calibration: "
                                 "they are for a common machine"
                               : "";
}

double estimatedMs(const Node& node, const MachineModel& machine) {
    if (node.kind() != NodeKind::call || isGetitem(node)) return 0;
    if (isHigherOrder(node) && !subgraphsOf(node).empty())
        return machine.overhead * 1000 + costWithin(node, [&](const Node& n) { return estimatedMs(n, machine); });
    const NodeCost cost = costOf(node);
    if (cost.kind == WorkKind::none) return machine.viewOverhead * 1000;
    const double compute = computing(node, cost, machine), memory = moving(cost, machine);
    // Convolution kernels repack operands before and after they compute.
    const double work = cost.kind == WorkKind::convolution ? compute + memory : std::max(compute, memory);
    return (machine.overhead + work + fetching(cost, machine)) * 1000;
}

}  // namespace aotscope
