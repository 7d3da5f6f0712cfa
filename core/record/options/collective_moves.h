#pragma once

#include <string>

namespace aotscope {

/// How collectives are moved in the graphs that run, so that less of them is exposed. All ranks have to run the same
/// program: every rank then makes the same moves.
struct CollectiveMoves {
    std::string bucket;  ///< "25MB": collectives of one kind, group and dtype become one, up to that size; empty: none
    bool issueEarly = false;  ///< as far up as their operands and the limit of the peak allow
    bool waitLate = false;    ///< waits directly before the first operation that needs the result
    std::string peakLimit;    ///< "2GB": of the simulated peak; empty: that of the graphs before

    bool any() const { return issueEarly || waitLate || !bucket.empty(); }
    bool operator==(const CollectiveMoves&) const = default;
};

}  // namespace aotscope
