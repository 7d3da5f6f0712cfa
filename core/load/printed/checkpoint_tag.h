#pragma once

#include "ir/graph.h"

#include <string_view>

namespace aotscope {

/// The activation checkpointing tags in the comment above an operation: "ac_graph_id: 3 - PREFER_RECOMPUTE",
/// "recompute: MUST_SAVE" or "ac_graph_id: 3", anywhere in the text. Unknown policies, such as offloading, are ignored.
/// Format: append_stacktrace_summary in torch/fx/graph.py.
CheckpointTag checkpointTagIn(std::string_view comment);

}  // namespace aotscope
