#include "verify/memory_meter.h"

#include <c10/core/Allocator.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <atomic>
#include <mutex>
#include <unordered_set>

namespace aotscope {

namespace {

/// Allocations that the CPU's allocator reports to profilers.
class Reported final : public MemoryMeter::Source {
public:
    std::int64_t bytes() const override { return reports_->live; }
    std::int64_t blocks() const override { return reports_->blocks; }
    std::int64_t peak() const override { return reports_->peak; }
    void restartPeak() override {
        reports_->peak = bytes();
        const std::lock_guard lock(reports_->mutex);
        reports_->recent.clear();
    }
    std::optional<bool> isNew(const void* data) const override {
        const std::lock_guard lock(reports_->mutex);
        return reports_->recent.contains(data);
    }

private:
    struct Reports final : c10::MemoryReportingInfoBase {
        void reportMemoryUsage(void* data, int64_t size, size_t, size_t, c10::Device device) override {
            if (!device.is_cpu()) return;
            note(data, size > 0);
            blocks += size > 0 ? 1 : -1;
            const std::int64_t now = live.fetch_add(size) + size;
            std::int64_t most = peak;
            while (now > most && !peak.compare_exchange_weak(most, now)) {}
        }
        void reportOutOfMemory(int64_t, size_t, size_t, c10::Device) override {}
        bool memoryProfilingEnabled() const override { return true; }
        void note(const void* data, bool allocated) {
            const std::lock_guard lock(mutex);
            if (allocated) recent.insert(data);
            else recent.erase(data);
        }
        std::atomic<std::int64_t> live = 0, peak = 0, blocks = 0;
        std::mutex mutex;
        std::unordered_set<const void*> recent;  ///< allocated since the peak was restarted, and not freed
    };
    std::shared_ptr<Reports> reports_ = std::make_shared<Reports>();
    c10::DebugInfoGuard guard_{c10::DebugInfoKind::PROFILER_STATE, reports_};
};

/// Statistics of a caching allocator, relative to the start.
class Counted final : public MemoryMeter::Source {
public:
    explicit Counted(c10::Device device)
        : allocator_(*at::getDeviceAllocator(device.type())),
          index_(device.index()),
          before_(now(&Stats::allocated_bytes).current),
          blocksBefore_(now(&Stats::allocation).current) {
        allocator_.resetPeakStats(index_);
    }

    std::int64_t bytes() const override { return now(&Stats::allocated_bytes).current - before_; }
    std::int64_t blocks() const override { return now(&Stats::allocation).current - blocksBefore_; }
    std::int64_t peak() const override { return now(&Stats::allocated_bytes).peak - before_; }
    void restartPeak() override { allocator_.resetPeakStats(index_); }

private:
    using Stats = c10::CachingDeviceAllocator::DeviceStats;
    c10::CachingAllocator::Stat now(c10::CachingAllocator::StatArray Stats::*what) const {
        const auto total = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
        return (allocator_.getDeviceStats(index_).*what).at(total);
    }

    c10::DeviceAllocator& allocator_;
    c10::DeviceIndex index_;
    std::int64_t before_, blocksBefore_;
};

}  // namespace

MemoryMeter::MemoryMeter(c10::Device device) {
    if (device.is_cpu()) source_ = std::make_unique<Reported>();
    else source_ = std::make_unique<Counted>(device);
}

}  // namespace aotscope
