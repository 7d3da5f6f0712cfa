#pragma once

#include "record/compile_record.h"

namespace aotscope {

/// The node of `to` that corresponds to `node` of `from`; kNoNode if there is none. Graphs of one lineage (joint,
/// forward, backward) share ids; otherwise nodes correspond by operation, type and module.
NodeId correspondingNode(const Graph& from, GraphKind fromKind, NodeId node, const Graph& to, GraphKind toKind);

}  // namespace aotscope
