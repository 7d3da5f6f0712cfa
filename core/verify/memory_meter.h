#pragma once

#include <c10/core/Device.h>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace aotscope {

/// Counts the bytes that tensors take from now on, while it lives: on the CPU those of this thread and of autograd's
/// workers for it, as allocations are reported; elsewhere those of the device, by its allocator's statistics.
class MemoryMeter {
public:
    explicit MemoryMeter(c10::Device device = c10::Device(c10::kCPU));

    /// Allocated and not yet freed.
    std::int64_t bytes() const { return source_->bytes(); }
    /// Pieces of memory, likewise: one for every tensor that is no view.
    std::int64_t blocks() const { return source_->blocks(); }
    /// The most that there were at one time.
    std::int64_t peak() const { return std::max(earlierPeak_, source_->peak()); }
    /// The same since startIteration().
    std::int64_t iterationPeak() const { return source_->peak(); }
    void startIteration() {
        earlierPeak_ = peak();
        source_->restartPeak();
    }

    /// Where the figures come from.
    class Source {
    public:
        virtual ~Source() = default;
        virtual std::int64_t bytes() const = 0;
        virtual std::int64_t blocks() const = 0;
        virtual std::int64_t peak() const = 0;
        /// The peak is what there is now.
        virtual void restartPeak() = 0;
    };

private:
    std::unique_ptr<Source> source_;
    std::int64_t earlierPeak_ = 0;
};

}  // namespace aotscope
