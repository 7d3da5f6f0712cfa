#pragma once

#include "record/compile_record.h"

#include <cstdint>
#include <optional>
#include <string>

namespace aotscope {

/// What another order of the operations gives, as liveMemory predicts it.
struct OrderGain {
    std::int64_t peakBefore = 0, peakAfter = 0;  ///< bytes, as in LiveMemory
    std::size_t moved = 0;                       ///< operations, in all graphs
};

/// "predicted peak 3.20 MB before, 1.60 MB after: 4 operations moved", or "predicted peak 3.20 MB, nothing moved".
std::string orderText(const OrderGain& gain);

/// Of the pass that ordered the operations; nothing if it did not run.
std::optional<OrderGain> orderGainOf(const CompileRecord& record);

}  // namespace aotscope
