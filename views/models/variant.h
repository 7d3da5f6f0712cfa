#pragma once

#include "cost/live_memory.h"
#include "cost/variant_costs.h"
#include "partition/difference.h"
#include "record/partition.h"
#include "record/results/results.h"

#include <QString>
#include <memory>
#include <optional>

namespace aotscope {

/// What a partition costs: estimated from the graphs, and as measured if somebody has asked for it.
struct VariantFigures {
    std::int64_t savedBytes = 0;  ///< these as in PartitionFigures
    std::size_t savedValues = 0, recomputedOps = 0;
    std::size_t forwardOps = 0, backwardOps = 0;
    double forwardMs = 0, backwardMs = 0;  ///< as costsOf
    double recomputedMs = 0;               ///< the part of the backward that the forward has computed before
    TimeBasis basis = TimeBasis::estimated;
    std::int64_t peakBytes = 0;  ///< predicted, without what the caller brings along
    std::int64_t sentBytes = 0;  ///< in collectives
    double exposedMs = 0;        ///< how long the computation stands still for them, estimated
    double simulatedMs = 0;      ///< of both streams; 0: nothing is communicated

    double ms() const { return forwardMs + backwardMs; }
};

struct MeasuredFigures {
    double forwardMs = 0, backwardMs = 0;
    std::int64_t peakBytes = 0;
    std::vector<std::int64_t> liveBytes;  ///< under each operation, forward then backward; empty: not known

    double ms() const { return forwardMs + backwardMs; }
};

/// Of the compiled function.
MeasuredFigures measuredFigures(const TimingResult& timing);

/// One way to partition the joint graph, with a name.
struct Variant {
    QString name;
    PartitionOptions options;
    std::shared_ptr<const Partition> partition;
    std::shared_ptr<const LiveMemory> memory;
    VariantFigures figures;
    std::optional<MeasuredFigures> measured;
};

/// All that can be said of a partition without running it. Takes milliseconds: not for the GUI thread.
Variant makeVariant(const QString& name, const PartitionOptions& options, std::shared_ptr<const Partition> partition,
                    const FunctionMetadata& metadata, const NodeTimes& times);

}  // namespace aotscope
