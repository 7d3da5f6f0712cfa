#pragma once

#include <cstdint>

namespace aotscope {

/// Limits of loading a model and of each run of its code during tracing. 0: derived from the sizes of files and inputs.
struct Limits {
    double seconds = 0;      ///< CPU time
    std::int64_t bytes = 0;  ///< of memory, beyond what the process had before

    friend bool operator==(const Limits&, const Limits&) = default;
};

}  // namespace aotscope
