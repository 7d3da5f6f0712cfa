#include "verify/device_timer.h"

#include "distributed/world.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

/// The device meant: one without an index is the current one of its type.
c10::Device numbered(c10::Device device) {
    return device.is_cpu() || device.has_index() ? device : c10::impl::VirtualGuardImpl(device.type()).getDevice();
}

}  // namespace

DeviceTimer::DeviceTimer(c10::Device device) : device_(numbered(device)) {
    constexpr int rounds = 8, marks = 256;
    std::vector<double> costs;
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < marks; ++i) mark();
        const std::vector<double> gaps = intervals();
        double sum = 0;
        for (const double gap : gaps) sum += gap;
        costs.push_back(sum / static_cast<double>(gaps.size()));
    }
    cost_ = *std::min_element(costs.begin(), costs.end());
}

void DeviceTimer::mark() {
    if (device_.is_cpu()) {
        readings_.push_back(ownTime());
        return;
    }
    if (marked_ == events_.size()) events_.emplace_back(device_.type(), c10::EventFlag::BACKEND_DEFAULT);
    events_[marked_++].record(c10::impl::VirtualGuardImpl(device_.type()).getStream(device_));
}

std::vector<double> DeviceTimer::intervals() {
    std::vector<double> us;
    if (device_.is_cpu()) {
        for (std::size_t i = 1; i < readings_.size(); ++i)
            us.push_back(std::chrono::duration<double, std::micro>(readings_[i] - readings_[i - 1]).count());
        readings_.clear();
        return us;
    }
    synchronize();
    for (std::size_t i = 1; i < marked_; ++i) us.push_back(events_[i - 1].elapsedTime(events_[i]) * 1000);
    marked_ = 0;
    return us;
}

std::vector<double> DeviceTimer::take() {
    std::vector<double> us = intervals();
    for (double& interval : us) interval = std::max(0.0, interval - cost_);
    return us;
}

void DeviceTimer::synchronize() const {
    if (!device_.is_cpu()) c10::impl::VirtualGuardImpl(device_.type()).synchronizeDevice(device_.index());
}

void occupy(c10::Device device, double ms) {
    if (device.is_cpu() || ms <= 0) return;
    constexpr std::int64_t size = 2048;
    const at::Tensor matrix = at::empty({size, size}, at::TensorOptions(device).dtype(at::kFloat)).zero_();
    DeviceTimer timer(device);
    at::mm(matrix, matrix);  // the first one may load its kernel
    timer.mark();
    at::mm(matrix, matrix);
    timer.mark();
    const double one = std::max(timer.take().front() / 1000, 0.01);
    const auto times = static_cast<std::int64_t>(std::ceil(ms / one));
    for (std::int64_t i = 0; i < times; ++i) at::mm(matrix, matrix);
}

}  // namespace aotscope
