#pragma once

#include "cost/fit/optimizer_memory.h"
#include "cost/variant_costs.h"
#include "record/compile_record.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace aotscope {

/// The parts of a training step.
enum class StepPhase : std::uint8_t { forward, loss, backward, update };
std::string_view name(StepPhase phase);

/// The loss that is computed from the outputs of a model that computes none.
enum class AssumedLoss : std::uint8_t {
    crossEntropy,
    meanSquare  ///< of `aotscope train`
};
std::string_view name(AssumedLoss loss);

/// Memory and time of one training step: forward, backward, and the optimizer's update, as in
///
///     optimizer.zero_grad(); loss = model(batch); loss.backward(); optimizer.step()
///
/// so that there are no gradients during the forward, and outputs are kept until the end. Bytes are those that tensors
/// have, of any step after the first, without what an allocator wastes. In a distributed program, they are those of
/// this rank.
struct TrainingStep {
    std::int64_t parameterBytes = 0, bufferBytes = 0, inputBytes = 0;
    std::int64_t tangentBytes = 0;   ///< gradients of the outputs, which the backward starts from
    std::int64_t gradientBytes = 0;  ///< of parameters and inputs
    std::int64_t stateBytes = 0;     ///< of the optimizer
    /// Peaks of live memory (live_memory.h): without parameters, buffers, inputs and tangents.
    std::int64_t forwardBytes = 0, backwardBytes = 0;
    /// The same for what computes a loss from the outputs, until the backward of the model begins.
    std::int64_t lossBytes = 0;
    std::int64_t heldBytes = 0;        ///< outputs and gradients, when the update begins
    std::int64_t updateBytes = 0;      ///< temporaries of the update in PyTorch's usual order on the device
    std::int64_t updateLoopBytes = 0;  ///< the same, one parameter after the other
    double forwardMs = 0, backwardMs = 0, updateMs = 0;
    double exposedMs = 0;  ///< how long forward and backward wait for collectives
    TimeBasis basis = TimeBasis::estimated;

    /// Of forward and backward: LiveMemory::peakBytes.
    std::int64_t livePeakBytes() const { return forwardBytes > backwardBytes ? forwardBytes : backwardBytes; }
    /// What there is from step to step.
    std::int64_t lastingBytes() const { return parameterBytes + bufferBytes + stateBytes; }
    /// All memory at the peak of a phase.
    std::int64_t peakIn(StepPhase phase) const;
    StepPhase peakPhase() const;
    std::int64_t peakBytes() const { return peakIn(peakPhase()); }
    double ms() const { return forwardMs + backwardMs + exposedMs + updateMs; }
};

/// The parameters that get a gradient, in order of the inputs. The record has a partition.
std::vector<TensorType> trainedParameters(const CompileRecord& record);

/// A step with the final graphs of the record, which has a partition, with the sizes of its types (record_at.h). Throws
/// Error if no parameter gets a gradient.
TrainingStep trainingStep(const CompileRecord& record, const OptimizerFormula& optimizer, const NodeTimes& times,
                          AssumedLoss loss = AssumedLoss::crossEntropy);

}  // namespace aotscope
