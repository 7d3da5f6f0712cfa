#pragma once

#include "ir/graph.h"
#include "ir/metadata.h"
#include "load/printed/view_meta.h"

#include <optional>
#include <string>

namespace aotscope {

/// The name that the user's program has for the value of `node`, if it is known.
inline std::string nameInProgram(const Node& node) { return node.label.empty() ? node.name() : node.label; }

/// What `graph`, the joint graph or the one that there is instead, and `backward`, which may be null, show of inputs
/// and outputs; the rest is from `meta`, as far as it fits.
FunctionMetadata printedMetadata(const Graph& graph, const Graph* backward, const std::optional<ViewMeta>& meta);

}  // namespace aotscope
