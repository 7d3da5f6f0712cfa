#pragma once

#include <cstdint>
#include <string>

namespace aotscope {

/// A limit of the predicted peak of forward and backward, without parameters, inputs and tangents. One of the members
/// is not 0.
struct PeakLimit {
    std::int64_t bytes = 0;
    double share = 0;     ///< of the peak if everything is kept
    double moreTime = 0;  ///< the lowest peak for which the step takes longer by at most this share

    /// "4GB", "0.7", "70%" or "+10%". Throws UsageError.
    static PeakLimit of(const std::string& text);
};

}  // namespace aotscope
