#pragma once

#include "models/variant.h"
#include "partition/what_if.h"
#include "session/session.h"

#include <memory>
#include <optional>
#include <vector>

namespace aotscope {

/// What what-if needs of a session and what does not depend on its options.
struct WhatIfPreparation {
    std::shared_ptr<const PartitionWhatIf> whatIf;
    std::shared_ptr<const NodeTimes> times;
    std::vector<Variant> variants, sweep;  ///< the compiled one, and those of the session file
};

/// Measures the machine the first time, so it takes a while. `session` has a partition, made with `options`; `timing`
/// is of it, if it was timed.
WhatIfPreparation prepareWhatIf(const Session& session, const PartitionOptions& options,
                                const std::optional<TimingResult>& timing);

}  // namespace aotscope
