#pragma once

#include "compile/compiler.h"

#include <c10/core/Device.h>

namespace aotscope {

/// `compiled`, the executable form of `graph`, such that a device replays it as one piece (a CUDA graph) once it has
/// run twice. Inputs that lie at the same place in both runs, as parameters do, are used where they are; others are
/// copied to the captured place before a replay, and results are copied from it. Calls with other shapes or numbers, or
/// with an observer, run as before. A graph that writes into its inputs is returned as it is.
std::shared_ptr<const CompiledGraph> captured(std::shared_ptr<const CompiledGraph> compiled, const Graph& graph,
                                              c10::Device device);

/// A backend whose graphs are captured() on `device`.
std::shared_ptr<const Compiler> capturing(std::shared_ptr<const Compiler> compiler, c10::Device device);

/// Why graphs cannot be captured on a device of that type: one clause; empty if they can.
std::string whyNoCapture(c10::DeviceType type);

}  // namespace aotscope
