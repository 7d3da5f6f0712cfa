#pragma once

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>
#include <atomic>
#include <memory>

namespace aotscope {

/// Counts the bytes that tensors of this thread, and of autograd's workers for it, take from now on, while it lives.
class MemoryMeter {
public:
    /// Allocated and not yet freed.
    std::int64_t bytes() const { return reports_->live; }
    /// Pieces of memory, likewise: one for every tensor that is no view.
    std::int64_t blocks() const { return reports_->blocks; }
    /// The most that there were at one time.
    std::int64_t peak() const { return std::max(earlierPeak_, reports_->peak.load()); }
    /// The same since startLap().
    std::int64_t lapPeak() const { return reports_->peak; }
    void startLap() {
        earlierPeak_ = peak();
        reports_->peak = bytes();
    }

private:
    struct Reports final : c10::MemoryReportingInfoBase {
        void reportMemoryUsage(void*, int64_t size, size_t, size_t, c10::Device) override {
            blocks += size > 0 ? 1 : -1;
            const std::int64_t now = live.fetch_add(size) + size;
            std::int64_t most = peak;
            while (now > most && !peak.compare_exchange_weak(most, now)) {}
        }
        void reportOutOfMemory(int64_t, size_t, size_t, c10::Device) override {}
        bool memoryProfilingEnabled() const override { return true; }
        std::atomic<std::int64_t> live = 0, peak = 0, blocks = 0;
    };
    std::shared_ptr<Reports> reports_ = std::make_shared<Reports>();
    std::int64_t earlierPeak_ = 0;
    c10::DebugInfoGuard guard_{c10::DebugInfoKind::PROFILER_STATE, reports_};
};

}  // namespace aotscope
