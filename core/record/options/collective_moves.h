#pragma once

#include <string>

namespace aotscope {

/// How collectives are moved in the executed graphs to reduce their exposure. All ranks must run the same program, so
/// that every rank makes the same moves.
struct CollectiveMoves {
    std::string bucket;  ///< "25MB": merge collectives of the same kind, group and dtype up to that size; empty: no
    bool issueEarly = false;  ///< as early as their operands and the peak limit allow
    bool waitLate = false;    ///< waits directly before the first operation that needs the result
    std::string peakLimit;    ///< "2GB": limit of the simulated peak; empty: the previous peak

    bool any() const { return issueEarly || waitLate || !bucket.empty(); }
    bool operator==(const CollectiveMoves&) const = default;
};

}  // namespace aotscope
