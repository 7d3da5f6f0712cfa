#pragma once

#include "io/session/content.h"
#include "models/variant.h"
#include "partition/what_if.h"
#include "session/session.h"

#include <memory>
#include <optional>
#include <vector>

namespace aotscope {

/// Variants that a session begins with: those of its file, or of the session before if its joint graph is the same.
struct KeptVariants {
    std::vector<SavedVariant> variants, sweep;
    std::optional<SavedVariant> compiled;    ///< what was compiled before, if a what-if was shown instead
    std::shared_ptr<const Partition> shown;  ///< and that what-if
};

/// What what-if needs of a session and what does not depend on its options.
struct WhatIfPreparation {
    std::shared_ptr<const PartitionWhatIf> whatIf;
    std::shared_ptr<const NodeTimes> times;
    std::vector<Variant> variants, sweep;  ///< the compiled one, and those that were kept
    std::size_t baseline = 0;              ///< of `variants`: what the compiled one is compared with
    PartitionDifference difference;        ///< from that
};

/// Measures the machine the first time, so it takes a while. `session` has a partition; `timing` is of it, if it was
/// timed. If it is the one that was shown as a what-if, it is compared with what was compiled before.
WhatIfPreparation prepareWhatIf(const Session& session, const KeptVariants& kept,
                                const std::optional<TimingResult>& timing);

}  // namespace aotscope
