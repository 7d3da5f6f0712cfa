#include "aten/random_state.h"

#include <ATen/Context.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <mutex>

namespace aotscope {

namespace {

/// A device without a context has not run anything, and a device whose library is not loaded must not be queried.
std::vector<at::Generator> generatorsInUse() {
    std::vector<at::Generator> generators = {at::globalContext().defaultGenerator(at::kCPU)};
    if (!c10::impl::hasDeviceGuardImpl(at::kCUDA)) return generators;
    const auto& hooks = at::globalContext().getAcceleratorHooksInterface(at::kCUDA);
    for (c10::DeviceIndex i = 0; i < hooks.deviceCount(); ++i)
        if (hooks.hasPrimaryContext(i)) generators.push_back(hooks.getDefaultGenerator(i));
    return generators;
}

}  // namespace

RandomState::RandomState() {
    for (at::Generator& generator : generatorsInUse()) {
        const std::lock_guard lock(generator.mutex());
        states_.emplace_back(generator, generator.get_state());
    }
}

void RandomState::restore() const {
    for (auto [generator, state] : states_) {
        const std::lock_guard lock(generator.mutex());
        generator.set_state(state);
    }
}

std::function<void()> saveRandomState() {
    return [state = RandomState()] { state.restore(); };
}

at::Tensor generatorState(c10::Device device) {
    at::Generator generator = at::globalContext().defaultGenerator(device);
    const std::lock_guard lock(generator.mutex());
    return generator.get_state();
}

void setGeneratorState(c10::Device device, const at::Tensor& state) {
    at::Generator generator = at::globalContext().defaultGenerator(device);
    const std::lock_guard lock(generator.mutex());
    generator.set_state(state.clone());  // LibTorch misreads views with a storage offset
}

RandomStateGuard::RandomStateGuard(std::uint64_t seed) { seedRandom(seed); }

void seedRandom(std::uint64_t seed) {
    for (at::Generator& generator : generatorsInUse()) {
        const std::lock_guard lock(generator.mutex());
        generator.set_current_seed(seed);
    }
}

}  // namespace aotscope
