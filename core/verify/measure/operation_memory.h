#pragma once

#include "verify/memory_meter.h"

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <vector>

namespace aotscope {

/// What one operation allocates, from its arguments to its results. In bytes.
class OperationMemory {
public:
    /// `operandsStay`: it frees none of its operands, so that what is there afterwards is its results.
    explicit OperationMemory(bool operandsStay = false) : operandsStay_(operandsStay) {}

    void start(MemoryMeter& meter);
    void end(const MemoryMeter& meter, c10::ArrayRef<c10::IValue> results);

    /// Of all memory, meanwhile.
    std::int64_t peak() const { return peak_; }
    /// Besides its results; -1: unknown. Operands that it frees while it runs hide as much of it.
    std::int64_t inner() const { return inner_; }
    /// New memory of each result; empty if not known.
    const std::vector<std::int64_t>& made() const { return made_; }

private:
    bool operandsStay_;
    std::int64_t before_ = 0, peak_ = 0, inner_ = -1;
    std::vector<std::int64_t> made_;
};

}  // namespace aotscope
