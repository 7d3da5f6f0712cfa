#include "cost/fit/training_step.h"

#include "cost/live_memory.h"
#include "support/enumerators.h"
#include "support/error.h"

#include <algorithm>
#include <set>

namespace aotscope {

namespace {

void addGiven(TrainingStep& step, const LiveValue& value) {
    switch (value.kind) {
        case MemoryKind::parameter: step.parameterBytes += value.bytes; break;
        case MemoryKind::buffer: step.bufferBytes += value.bytes; break;
        case MemoryKind::tangent: step.tangentBytes += value.bytes; break;
        default: step.inputBytes += value.bytes; break;
    }
}

/// Tensors of the size of an output that the backward of a loss has at once, the output's gradient included. By
/// watching the allocator: logarithms of softmax, and their gradient; two products, and a gradient.
std::int64_t tensorsOf(AssumedLoss loss) { return loss == AssumedLoss::crossEntropy ? 3 : 4; }

/// For outputs one after the other. A number among them is a loss that the model computes.
std::int64_t bytesOfLoss(const Graph& backward, AssumedLoss loss) {
    std::int64_t gradients = 0, largest = 0;
    bool computesLoss = false;
    for (const Node* input : backward.placeholders()) {
        const TensorType* type = input->role == Role::tangent ? input->type.tensor() : nullptr;
        if (!type) continue;
        gradients += type->bytes();
        largest = std::max(largest, type->bytes());
        computesLoss |= type->sizes.empty();
    }
    return computesLoss ? gradients : gradients + (tensorsOf(loss) - 1) * largest;
}

void setMemory(TrainingStep& step, const LiveMemory& memory) {
    for (const MemoryPoint& point : memory.curve) {
        std::int64_t& peak = point.stage == Stage::forward ? step.forwardBytes : step.backwardBytes;
        peak = std::max(peak, point.bytes);
        if (point.stage == Stage::forward) step.lossBytes = point.bytes;  // of the last one, after the forward
    }
    for (const LiveValue& value : memory.values) {
        if (isGiven(value.kind)) addGiven(step, value);
        else if (value.kind == MemoryKind::gradient || value.kind == MemoryKind::output) step.heldBytes += value.bytes;
        if (value.kind == MemoryKind::gradient) step.gradientBytes += value.bytes;
    }
}

/// Arithmetic, or memory, and the start of every kernel.
double updateMs(const OptimizerMemory& optimizer, const MachineModel& machine) {
    const Pace& products = machine.halfProducts.perSecond > 0 ? machine.halfProducts : machine.matrixFlops;
    return 1000 * (static_cast<double>(optimizer.launches) * machine.overhead +
                   static_cast<double>(optimizer.moved) / machine.bytes.large + products.seconds(optimizer.products));
}

}  // namespace

std::string_view name(StepPhase phase) { return spelled(phase); }
std::string_view name(AssumedLoss loss) { return spelled<'-'>(loss); }

std::int64_t TrainingStep::peakIn(StepPhase phase) const {
    const std::int64_t always = lastingBytes() + inputBytes;
    switch (phase) {
        case StepPhase::forward: return always + forwardBytes;
        case StepPhase::loss: return always + lossBytes;
        case StepPhase::backward: return always + tangentBytes + backwardBytes;
        case StepPhase::update: return always + heldBytes + updateBytes;
    }
    return 0;
}

StepPhase TrainingStep::peakPhase() const {
    return *std::ranges::max_element(kEnumerators<StepPhase>, {}, [this](StepPhase phase) { return peakIn(phase); });
}

std::vector<TensorType> trainedParameters(const CompileRecord& record) {
    const Graph& backward = *record.partition->backward;
    std::set<std::string> differentiated;
    for (std::size_t i = 0; i < backward.outputs().size() && i < backward.outputSlots().size(); ++i)
        if (backward.outputSlots()[i].role == Role::gradient && backward.outputs()[i].node())
            differentiated.insert(backward.outputSlots()[i].label);
    std::vector<TensorType> parameters;
    for (const Node* input : record.partition->forward->placeholders())
        if (input->role == Role::parameter && differentiated.contains(input->label) && input->type.tensor())
            parameters.push_back(*input->type.tensor());
    return parameters;
}

TrainingStep trainingStep(const CompileRecord& record, const OptimizerFormula& optimizer, const NodeTimes& times,
                          AssumedLoss loss) {
    const std::vector<TensorType> parameters = trainedParameters(record);
    if (parameters.empty()) throw Error("no parameter of the model gets a gradient: there is nothing to train");
    TrainingStep step;
    setMemory(step, *liveMemory(record));
    step.lossBytes += bytesOfLoss(*record.partition->backward, loss);
    const VariantCosts costs = costsOf(*record.partition, record.knownMetadata(), times);
    step.forwardMs = costs.forwardMs;
    step.backwardMs = costs.backwardMs;
    step.exposedMs = costs.exposedMs;
    step.basis = costs.basis;
    const OptimizerMemory usual = optimizerMemory(optimizer, parameters, usualOrder(optimizer, parameters.front()));
    step.stateBytes = usual.states;
    step.updateBytes = usual.update;
    step.updateLoopBytes = optimizerMemory(optimizer, parameters, UpdateOrder::loop).update;
    step.updateMs = updateMs(usual, times.machine());
    return step;
}

}  // namespace aotscope
