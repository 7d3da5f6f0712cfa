#pragma once

#include "load/printed/graph_rules.h"

#include <map>
#include <memory>
#include <string>

namespace aotscope {

/// Turns the modules nested in `module` into graphs, arguments of the operations that run them, and collects them in
/// `all` by class name. Returns the nesting of subgraphs in the graph of `module`.
int takeNested(PrintedModule& module, std::map<std::string, std::shared_ptr<const Graph>>& all,
               const GraphRules& rules);

/// Ends the graph of `module` with its outputs.
void completeGraph(PrintedModule& module, std::string_view name, std::vector<OutputSlot> slots);

}  // namespace aotscope
