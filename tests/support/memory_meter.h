#pragma once

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <atomic>
#include <memory>

namespace aotscope::test {

/// Counts the bytes that this thread's tensors take from now on, while it lives.
class MemoryMeter {
public:
    /// Allocated and not yet freed.
    std::int64_t bytes() const { return reports_->live; }
    /// The most that there were at one time.
    std::int64_t peak() const { return reports_->peak; }

private:
    struct Reports final : c10::MemoryReportingInfoBase {
        void reportMemoryUsage(void*, int64_t size, size_t, size_t, c10::Device) override {
            const std::int64_t now = live.fetch_add(size) + size;
            std::int64_t most = peak;
            while (now > most && !peak.compare_exchange_weak(most, now)) {}
        }
        void reportOutOfMemory(int64_t, size_t, size_t, c10::Device) override {}
        bool memoryProfilingEnabled() const override { return true; }
        std::atomic<std::int64_t> live = 0, peak = 0;
    };
    std::shared_ptr<Reports> reports_ = std::make_shared<Reports>();
    c10::DebugInfoGuard guard_{c10::DebugInfoKind::PROFILER_STATE, reports_};
};

}  // namespace aotscope::test
