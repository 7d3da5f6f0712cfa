#pragma once

#include "compile/compiler.h"

#include <c10/core/Device.h>

namespace aotscope {

/// Wraps `compiled`, the executable form of `graph`, so that the device replays it as one piece (a CUDA graph) once it
/// has run twice. Inputs at the same address in both runs, such as parameters, are used in place; others are copied
/// into the captured memory before a replay, and results are copied out of it. Calls with other shapes or numbers, or
/// with an observer, run without capture. A graph that writes into its inputs, or exchanges tensors with other ranks,
/// is not captured, and note() says so.
std::shared_ptr<const CompiledGraph> captured(std::shared_ptr<const CompiledGraph> compiled, const Graph& graph,
                                              c10::Device device);

/// A backend whose graphs are captured() on `device`.
std::shared_ptr<const Compiler> capturing(std::shared_ptr<const Compiler> compiler, c10::Device device);

/// Why graphs cannot be captured on devices of that type, as one clause; empty if they can.
std::string whyNoCapture(c10::DeviceType type);

}  // namespace aotscope
