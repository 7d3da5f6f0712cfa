#pragma once

#include <cstdint>
#include <string>

namespace aotscope {

/// A limit of the predicted peak of forward and backward, without parameters, inputs and tangents.
struct PeakLimit {
    std::int64_t bytes = 0;  ///< 0: given as a share
    double share = 0;        ///< of the peak if everything is kept

    /// "4GB", "0.7" or "70%". Throws UsageError.
    static PeakLimit of(const std::string& text);
    std::int64_t bytesOf(std::int64_t keepAllBytes) const {
        return bytes > 0 ? bytes : static_cast<std::int64_t>(share * static_cast<double>(keepAllBytes));
    }
};

}  // namespace aotscope
