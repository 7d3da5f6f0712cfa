#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// Every violated invariant of `graph`, one sentence each, naming the node; empty if there are none: one output node,
/// last; names and ids unique; inputs defined before their users; inputs and users symmetric; placeholders before
/// calls; a slot for every output; getitem within its tuple.
std::vector<std::string> verifyGraph(const Graph& graph);

/// Throws logic_error with the first finding. `after` names the pass that has just run.
void requireSound(const Graph& graph, std::string_view after);

}  // namespace aotscope
