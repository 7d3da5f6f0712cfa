#pragma once

#include "controllers/runs/run_list.h"
#include "models/variant.h"
#include "partition/what_if.h"
#include "session/engine.h"

#include <memory>
#include <optional>
#include <vector>

namespace aotscope {

/// The part of what-if that depends on a session, but not on its options.
struct WhatIfPreparation {
    std::shared_ptr<const PartitionWhatIf> whatIf;
    std::shared_ptr<const NodeTimes> times;
    std::vector<Variant> variants, sweep;  ///< the compiled one, and kept ones
};

/// Partitions of a joint graph; decisions that depend on times use those of `machine` and what is known of operations.
std::shared_ptr<const PartitionWhatIf> whatIfWith(const std::shared_ptr<const Engine>& engine,
                                                  const CompileRecord& record, const MachineModel& machine);

/// Takes a while: the engine measures the machine the first time. `session` has a partition; `timing` belongs to it, if
/// it was timed; `kept` has its variants.
WhatIfPreparation prepareWhatIf(const std::shared_ptr<const Engine>& engine, const Session& session,
                                const LeftWhatIf& kept, const std::optional<TimingResult>& timing);

}  // namespace aotscope
