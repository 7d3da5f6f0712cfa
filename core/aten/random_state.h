#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace aotscope {

/// The states of the default random generators that a run may use: the CPU's and those of the devices in
/// use.
class RandomState {
public:
    /// As they are now.
    RandomState();
    void restore() const;

private:
    std::vector<std::pair<at::Generator, at::Tensor>> states_;
};

/// Restores the RNG state at the end of its life.
class RandomStateGuard {
public:
    RandomStateGuard() = default;
    ~RandomStateGuard() { before_.restore(); }
    RandomStateGuard(const RandomStateGuard&) = delete;
    RandomStateGuard& operator=(const RandomStateGuard&) = delete;

private:
    RandomState before_;
};

/// Puts all these generators into the state that `seed` gives.
void seedRandom(std::uint64_t seed);

}  // namespace aotscope
