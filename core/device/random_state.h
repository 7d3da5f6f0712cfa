#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace aotscope {

/// Keeps the state of every default random generator that a run may draw from, the processor's and those of the devices
/// in use, and puts it back at the end of its life.
class RandomState {
public:
    RandomState();
    ~RandomState();
    RandomState(const RandomState&) = delete;
    RandomState& operator=(const RandomState&) = delete;

private:
    std::vector<std::pair<at::Generator, at::Tensor>> states_;
};

/// Puts all these generators into the state that `seed` gives.
void seedRandom(std::uint64_t seed);

}  // namespace aotscope
