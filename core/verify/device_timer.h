#pragma once

#include <c10/core/Device.h>
#include <c10/core/Event.h>

#include <chrono>
#include <vector>

namespace aotscope {

/// Points in time in a device's work, read when the work is done: the monotonic clock on the CPU, without the turns of
/// other ranks in this process; elsewhere, events on the current stream. Marking one never waits.
class DeviceTimer {
public:
    explicit DeviceTimer(c10::Device device);

    void mark();
    /// Microseconds between consecutive points, without the overhead of marking. Waits for the device and discards all
    /// points.
    std::vector<double> take();
    /// The overhead of marking in microseconds, measured by the constructor.
    double cost() const { return cost_; }
    /// Waits until the device is idle.
    void synchronize() const;
    c10::Device device() const { return device_; }

private:
    std::vector<double> intervals();

    c10::Device device_;
    std::vector<std::chrono::steady_clock::time_point> readings_;  ///< on the CPU
    std::vector<c10::Event> events_;                               ///< elsewhere; reused
    std::size_t marked_ = 0;                                       ///< events
    double cost_ = 0;
};

/// Occupies a device other than the CPU for about `ms` milliseconds without waiting for it, so that the host gets
/// ahead: the time between later points is then the device's, not the host's.
void occupy(c10::Device device, double ms);

}  // namespace aotscope
