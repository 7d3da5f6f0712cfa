#pragma once

#include "io/session/content.h"
#include "models/variant.h"
#include "partition/what_if.h"
#include "session/engine.h"

#include <memory>
#include <optional>
#include <vector>

namespace aotscope {

/// Initial variants of a session: those of its file, or of the previous session if its joint graph is the same.
struct KeptVariants {
    std::vector<SavedVariant> variants, sweep;
    std::optional<SavedVariant> compiled;    ///< previously compiled, if a what-if was shown instead
    std::shared_ptr<const Partition> shown;  ///< and that what-if
};

/// The part of what-if that depends on a session, but not on its options.
struct WhatIfPreparation {
    std::shared_ptr<const PartitionWhatIf> whatIf;
    std::shared_ptr<const NodeTimes> times;
    std::vector<Variant> variants, sweep;  ///< the compiled one, and kept ones
    std::size_t baseline = 0;              ///< of `variants`: the baseline of the compiled one
    PartitionDifference difference;        ///< from that
};

/// Takes a while: the engine measures the machine the first time. `session` has a partition; `timing` belongs to it, if
/// it was timed. If it was shown as a what-if, the previously compiled one is its baseline.
WhatIfPreparation prepareWhatIf(const std::shared_ptr<const Engine>& engine, const Session& session,
                                const KeptVariants& kept, const std::optional<TimingResult>& timing);

}  // namespace aotscope
