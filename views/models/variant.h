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

struct MeasuredFigures {
    double forwardMs = 0, backwardMs = 0;
    std::int64_t peakBytes = 0;
    std::vector<std::int64_t> liveBytes;  ///< under each operation, forward then backward; empty: unknown

    double ms() const { return forwardMs + backwardMs; }
};

/// The measured figures of the compiled function.
MeasuredFigures measuredFigures(const TimingResult& timing);

/// One way to partition the joint graph, with a name.
struct Variant {
    QString name;
    PartitionOptions options;
    std::shared_ptr<const Partition> partition;
    std::shared_ptr<const LiveMemory> memory;
    QString arena;  ///< how much all of it takes in one arena: arenaText
    VariantCosts figures;
    std::optional<MeasuredFigures> measured;
};

/// The facts of a partition that need no run. Takes milliseconds: not for the GUI thread.
Variant makeVariant(const QString& name, const PartitionOptions& options, std::shared_ptr<const Partition> partition,
                    const FunctionMetadata& metadata, const NodeTimes& times);

}  // namespace aotscope
