#pragma once

#include "load/lowering.h"

namespace aotscope {

/// A lowered TorchScript method as a graph to look at: operations as written, literals inline, assertions and
/// dead code left out. Bodies of branches and loops that depend on the inputs stand in line, followed by a
/// prim.If or prim.Loop node that joins their results.
std::shared_ptr<const Graph> sourceGraph(const LoweredMethod& lowered);

}  // namespace aotscope
