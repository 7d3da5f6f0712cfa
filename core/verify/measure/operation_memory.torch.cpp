#include "verify/measure/operation_memory.h"

#include "verify/measure/result_memory.h"

#include <algorithm>
#include <numeric>

namespace aotscope {

void OperationMemory::start(MemoryMeter& meter) {
    meter.startIteration();
    before_ = meter.bytes();
}

void OperationMemory::end(const MemoryMeter& meter, c10::ArrayRef<c10::IValue> results) {
    peak_ = meter.iterationPeak();
    const auto made = newMemoryOf(results, meter);
    if (!made && !operandsStay_) return;
    made_ = made.value_or(std::vector<std::int64_t>());
    const std::int64_t whole = made ? std::accumulate(made->begin(), made->end(), std::int64_t{0})
                                    : std::max<std::int64_t>(meter.bytes() - before_, 0);
    inner_ = std::max<std::int64_t>(peak_ - before_ - whole, 0);
}

}  // namespace aotscope
