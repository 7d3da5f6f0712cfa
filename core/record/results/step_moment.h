#pragma once

#include "record/compile_record.h"

#include <cstdint>

namespace aotscope {

/// When a step of one run began and ended, in nanoseconds of the machine's monotonic clock. A step begins when the
/// previous one has ended.
struct StepMoment {
    GraphKind graph = GraphKind::forward;
    NodeId node = kNoNode;
    std::int64_t begin = 0, end = 0;
    std::int64_t waited = 0;  ///< of this, at its start, waiting for other ranks
};

}  // namespace aotscope
