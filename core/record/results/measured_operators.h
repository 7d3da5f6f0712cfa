#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace aotscope {

/// What was found when the operations of a run were run by themselves, each signature once.
struct MeasuredOperators {
    /// An operation that was not run by itself.
    struct Left {
        std::string signature, why;  ///< why: a clause
    };
    std::size_t measured = 0, known = 0;  ///< signatures: now, and before
    std::vector<Left> left;
};

}  // namespace aotscope
