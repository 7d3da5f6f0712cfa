#pragma once

#include "program/location_sink.h"

#include <ATen/core/stack.h>

#include <memory>
#include <string_view>

namespace aotscope {

/// Operations of a graph that begin a region: what follows runs under another grad mode (enabled) or autocast state
/// (device, dtype or None, enabled, cache or None), or with activation checkpointing (number of the region).
inline constexpr std::string_view kGradModeRegion = "region.grad_mode", kAutocastRegion = "region.autocast",
                                  kCheckpointRegion = "region.checkpoint";
/// Ends the innermost region.
inline constexpr std::string_view kEndOfRegion = "region.end";

/// Begins a region with the arguments of its operation; it ends when the result is destroyed. `sink` may be null.
using BeginRegion = std::shared_ptr<void> (*)(const torch::jit::Stack& arguments, LocationSink* sink);

/// Null for an operation that does not begin a region. vmap is also one: see batching.h.
BeginRegion findRegion(std::string_view op);
bool endsRegion(std::string_view op);

}  // namespace aotscope
