#pragma once

#include <c10/core/Device.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

namespace aotscope {

/// Counts the bytes that tensors allocate during its lifetime: on the CPU those of this thread and of autograd's
/// workers for it, as reported by the allocator; elsewhere those of the device, from its allocator's statistics.
class MemoryMeter {
public:
    explicit MemoryMeter(c10::Device device = c10::Device(c10::kCPU));

    /// Bytes allocated and not yet freed.
    std::int64_t bytes() const { return source_->bytes(); }
    /// Blocks of memory: one for every tensor that is not a view.
    std::int64_t blocks() const { return source_->blocks(); }
    /// The peak in bytes.
    std::int64_t peak() const { return std::max(earlierPeak_, source_->peak()); }
    /// The peak since startLap().
    std::int64_t iterationPeak() const { return source_->peak(); }
    void startIteration() {
        earlierPeak_ = peak();
        source_->restartPeak();
    }

    /// Whether the memory at `data` was allocated since startIteration(); nothing if that is not known.
    std::optional<bool> isNew(const void* data) const { return source_->isNew(data); }

    /// The source of the figures.
    class Source {
    public:
        virtual ~Source() = default;
        virtual std::int64_t bytes() const = 0;
        virtual std::int64_t blocks() const = 0;
        virtual std::int64_t peak() const = 0;
        /// Resets the peak to the current value.
        virtual void restartPeak() = 0;
        virtual std::optional<bool> isNew(const void* /*data*/) const { return std::nullopt; }
    };

private:
    std::unique_ptr<Source> source_;
    std::int64_t earlierPeak_ = 0;
};

}  // namespace aotscope
