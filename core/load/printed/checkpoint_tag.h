#pragma once

#include "ir/graph.h"

#include <string_view>

namespace aotscope {

/// The tags of activation checkpointing in the comment above an operation: "ac_graph_id: 3 - PREFER_RECOMPUTE",
/// "recompute: MUST_SAVE" or "ac_graph_id: 3", wherever in the text. A policy that has no name here, such as one of
/// offloading, is none. Format: append_stacktrace_summary in torch/fx/graph.py.
CheckpointTag checkpointTagIn(std::string_view comment);

}  // namespace aotscope
