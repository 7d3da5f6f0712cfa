#pragma once

#include "ir/graph.h"
#include "ir/metadata.h"
#include "load/printed/view_meta.h"

#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// The name of `node` in the user's program, if known.
inline std::string nameInProgram(const Node& node) { return node.label.empty() ? node.name() : node.label; }

/// The inputs of `graph` that are tangents, and all others.
std::vector<Node*> tangentsOf(const Graph& graph);
std::vector<Node*> primalsOf(const Graph& graph);

/// The metadata of inputs and outputs according to `graph`, the joint graph or its replacement, and `backward`, which
/// may be null; the rest comes from `meta`, where it matches.
FunctionMetadata printedMetadata(const Graph& graph, const Graph* backward, const std::optional<ViewMeta>& meta);

}  // namespace aotscope
