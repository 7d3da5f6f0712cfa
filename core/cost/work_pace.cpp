#include "cost/work_pace.h"

#include "ops/op_table.h"

namespace aotscope {

namespace {

bool isProduct(WorkKind kind) {
    return kind == WorkKind::matrix || kind == WorkKind::batchedMatrix || kind == WorkKind::convolution ||
           kind == WorkKind::attention;
}

bool isHalf(const Node& node) {
    const TensorType* result = node.type.firstTensor();
    return result && (result->dtype == DType::f16 || result->dtype == DType::bf16);
}

}  // namespace

const Pace* paceOf(const Node& node, const NodeCost& cost, const MachineModel& machine) {
    if (machine.halfProducts.perSecond > 0 && isProduct(cost.kind) && isHalf(node)) return &machine.halfProducts;
    switch (cost.kind) {
        case WorkKind::none:
        case WorkKind::memory: return nullptr;
        case WorkKind::matrix: return &machine.matrixFlops;
        case WorkKind::batchedMatrix: return &machine.batchedFlops;
        case WorkKind::convolution:
            return shortOpName(node.op()) == "convolution_backward" ? &machine.convolutionBackwardFlops
                                                                    : &machine.convolutionFlops;
        case WorkKind::attention: return &machine.attentionFlops;
        case WorkKind::transcendental: return &machine.transcendentals;
        case WorkKind::heavyFunction: return &machine.heavyFunctions;
        case WorkKind::batchNorm: return &machine.batchNorms;
        case WorkKind::random: return &machine.randomNumbers;
        case WorkKind::reduction: return &machine.reductions;
        case WorkKind::window: return &machine.windows;
        case WorkKind::conversion: return &machine.conversions;
    }
    return nullptr;
}

double workOf(const NodeCost& cost) {
    switch (cost.kind) {
        case WorkKind::matrix:
        case WorkKind::batchedMatrix:
        case WorkKind::convolution:
        case WorkKind::attention: return static_cast<double>(cost.flops);
        default: return static_cast<double>(cost.elements);
    }
}

}  // namespace aotscope
