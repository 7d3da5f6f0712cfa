#pragma once

#include "load/torchscript/lowering.h"

namespace aotscope {

/// A lowered TorchScript method as a graph for display: operations as written, literals inline, without assertions and
/// dead code. Bodies of data-dependent branches and loops are inlined, followed by a prim.If or prim.Loop node that
/// joins their results.
std::shared_ptr<const Graph> sourceGraph(const LoweredMethod& lowered);

}  // namespace aotscope
