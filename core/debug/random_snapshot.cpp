#include "debug/random_snapshot.h"

#include <ATen/Context.h>

#include <mutex>

namespace aotscope {

RandomSnapshot::RandomSnapshot(c10::Device device) : devices_{c10::Device(at::kCPU)} {
    if (!device.is_cpu()) devices_.push_back(device);
    take();
}

void RandomSnapshot::take() {
    states_.clear();
    for (const c10::Device device : devices_) {
        at::Generator generator = at::globalContext().defaultGenerator(device);
        const std::scoped_lock lock(generator.mutex());
        states_.push_back(generator.get_state());
    }
}

void RandomSnapshot::restore() const {
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        at::Generator generator = at::globalContext().defaultGenerator(devices_[i]);
        const std::scoped_lock lock(generator.mutex());
        generator.set_state(states_[i]);
    }
}

}  // namespace aotscope
