#include "cost/machine_model.h"

#include "ops/op_table.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

/// Convolution kernels bring operands into blocks of their own and back.
double convolutionSeconds(const Node& node, const NodeCost& cost, const MachineModel& machine) {
    const bool backward = shortOpName(node.op()) == "convolution_backward";
    const Rate& rate = backward ? machine.convolutionBackwardFlops : machine.convolutionFlops;
    const auto bytes = static_cast<double>(cost.bytes());
    return rate.seconds(static_cast<double>(cost.flops)) + machine.bytes.seconds(bytes);
}

double workSeconds(const Node& node, const NodeCost& cost, const MachineModel& machine) {
    const auto flops = static_cast<double>(cost.flops), elements = static_cast<double>(cost.elements),
               bytes = static_cast<double>(cost.bytes());
    const double moving = cost.strided ? machine.stridedBytes.seconds(bytes) : machine.bytes.seconds(bytes);
    switch (cost.kind) {
        case WorkKind::none: return 0;
        case WorkKind::memory: return moving;
        case WorkKind::matrix: return std::max(machine.matrixFlops.seconds(flops), moving);
        case WorkKind::convolution: return convolutionSeconds(node, cost, machine);
        case WorkKind::attention: return std::max(machine.attentionFlops.seconds(flops), moving);
        case WorkKind::transcendental: return std::max(machine.transcendentals.seconds(elements), moving);
        case WorkKind::random: return std::max(machine.randomNumbers.seconds(elements), moving);
    }
    return 0;
}

}  // namespace

double Rate::at(double amount) const {
    const double share = std::log(amount / smallAmount) / std::log(largeAmount / smallAmount);
    return small * std::pow(large / small, std::clamp(share, 0.0, 1.0));
}

double estimatedMs(const Node& node, const MachineModel& machine) {
    if (node.kind() != NodeKind::call || isGetitem(node)) return 0;
    const NodeCost cost = costOf(node);
    if (cost.kind == WorkKind::none) return machine.viewOverhead * 1000;
    return (machine.overhead + workSeconds(node, cost, machine)) * 1000;
}

}  // namespace aotscope
