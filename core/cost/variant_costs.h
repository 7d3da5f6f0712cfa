#pragma once

#include "cost/machine_model.h"
#include "ir/metadata.h"
#include "record/partition.h"
#include "record/results.h"

#include <memory>
#include <optional>
#include <unordered_map>

namespace aotscope {

/// Run times of the operations of a joint graph in milliseconds: measured where available, else estimated. Cheap to
/// copy.
class NodeTimes {
public:
    explicit NodeTimes(const MachineModel& machine) : machine_(machine) {}

    /// Takes over the times of every step. A node that runs in both graphs gets the mean of both.
    void learn(const TimingResult& timing);
    double ms(const Node& node) const;
    bool anyMeasured() const { return !measured_.empty(); }

private:
    MachineModel machine_;
    std::unordered_map<NodeId, double> measured_;  ///< milliseconds
};

/// Estimated costs of a partition.
struct VariantCosts {
    std::int64_t savedBytes = 0;  ///< as Partition::savedUniqueBytes
    std::int64_t peakBytes = 0;   ///< predicted, excluding parameters, inputs and tangents
    std::int64_t givenBytes = 0;  ///< parameters, buffers, inputs, tangents
    std::size_t recomputedOps = 0;
    double forwardMs = 0, backwardMs = 0;  ///< sums over the operations
    double recomputedMs = 0;               ///< the part of the backward that the forward has computed before
    bool fromMeasured = false;             ///< some operations with their measured times

    /// Measured on whole runs, if the variant was run.
    struct Measured {
        double forwardMs = 0, backwardMs = 0;
        std::int64_t savedBytes = 0, peakBytes = 0;
    };
    std::optional<Measured> measured;

    double totalMs() const { return forwardMs + backwardMs; }
};

VariantCosts costsOf(const Partition& partition, const FunctionMetadata& metadata, const NodeTimes& times);

VariantCosts::Measured measuredCosts(const TimingResult& timing);

}  // namespace aotscope
