#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace aotscope {

/// The states of the default generators that a run may use: the CPU's and those of the devices in use.
class RandomState {
public:
    /// Saves the current states.
    RandomState();
    void restore() const;

private:
    std::vector<std::pair<at::Generator, at::Tensor>> states_;
};

/// Saves the current states; the result restores them.
std::function<void()> saveRandomState();

/// Restores the RNG state when it is destroyed.
class RandomStateGuard {
public:
    RandomStateGuard() = default;
    /// Also seeds the generators now.
    explicit RandomStateGuard(std::uint64_t seed);
    ~RandomStateGuard() { before_.restore(); }
    RandomStateGuard(const RandomStateGuard&) = delete;
    RandomStateGuard& operator=(const RandomStateGuard&) = delete;

private:
    RandomState before_;
};

/// A copy of the state of the default generator of `device`, u8[n] on the CPU.
at::Tensor generatorState(c10::Device device);
/// Throws c10::Error if `state` is not such a state.
void setGeneratorState(c10::Device device, const at::Tensor& state);

/// Seeds the same generators.
void seedRandom(std::uint64_t seed);

}  // namespace aotscope
