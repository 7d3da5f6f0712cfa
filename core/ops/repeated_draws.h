#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <string_view>

namespace aotscope {

// A random operation that the backward repeats draws the numbers of the forward again: the forward returns the RNG
// state before it, and the backward runs the operation with that state. Source: functionalize_rng_ops in
// torch/_functorch/partitioners.py, whose forward combines the state and the operation in one node,
// run_and_save_rng_state.

/// (device) -> u8[n]: the state of the default generator of the device.
inline constexpr std::string_view kRngState = "higher_order.rng_state";
/// (state, operation, its arguments...) -> the results of the operation. The generator's own state does not change.
inline constexpr std::string_view kRunWithRngState = "higher_order.run_with_rng_state";

/// The operation that `node` runs: for run_with_rng_state, the one in its arguments; for any other call, its own.
inline const std::string& operationOf(const Node& node) {
    const bool named = node.isCall(kRunWithRngState) && node.args().size() > 1;
    const auto* operation = named ? std::get_if<std::string>(&node.args()[1].value) : nullptr;
    return operation ? *operation : node.op();
}

/// The device of a random operation: that of its first result.
inline Device deviceOfDraw(const Node& draw) {
    const TensorType* numbers = draw.type.firstTensor();
    return numbers ? numbers->device : Device();
}

/// Sizes of such states in bytes: of the CPU's Mersenne Twister; of a seed and an offset.
inline constexpr std::int64_t kCpuStateBytes = 5056, kDeviceStateBytes = 16;

}  // namespace aotscope
