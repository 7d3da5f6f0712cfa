#pragma once

#include <cstdint>

namespace aotscope {

/// What loading a model, and each run of its code while it is traced, may take. 0: what follows from the sizes of the
/// files and inputs.
struct Limits {
    double seconds = 0;      ///< of a processor's time
    std::int64_t bytes = 0;  ///< of memory, beyond what the process had before

    friend bool operator==(const Limits&, const Limits&) = default;
};

}  // namespace aotscope
