#pragma once

#include <c10/core/Device.h>
#include <c10/core/Event.h>

#include <chrono>
#include <vector>

namespace aotscope {

/// Moments in a device's work, to be read when it is done: readings of the monotonic clock on the CPU, elsewhere events
/// on the current stream, which the device passes in order. To mark one waits for nothing.
class DeviceTimer {
public:
    explicit DeviceTimer(c10::Device device);

    void mark();
    /// Microseconds between neighbouring moments, without what marking itself takes. Waits for the device and forgets
    /// all moments.
    std::vector<double> take();
    /// What marking takes, in microseconds, as found when this was made.
    double cost() const { return cost_; }
    /// Waits until the device has nothing left to do.
    void synchronize() const;
    c10::Device device() const { return device_; }

private:
    std::vector<double> intervals();

    c10::Device device_;
    std::vector<std::chrono::steady_clock::time_point> readings_;  ///< on the CPU
    std::vector<c10::Event> events_;                               ///< elsewhere; used again
    std::size_t marked_ = 0;                                       ///< events
    double cost_ = 0;
};

/// Gives a device other than the CPU work for about `ms` milliseconds and returns before it is done: meanwhile the host
/// gets ahead, and moments marked after it are apart by what the device needs, not by what the host does.
void occupy(c10::Device device, double ms);

}  // namespace aotscope
