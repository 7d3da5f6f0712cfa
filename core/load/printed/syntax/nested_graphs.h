#pragma once

#include "load/printed/parser.h"

#include <map>
#include <memory>
#include <string>

namespace aotscope {

/// Makes graphs of the modules nested in `module`, arguments of the operations that run them, and collects them in
/// `all` by class name. Returns how many levels of subgraphs the graph of `module` has.
int takeNested(PrintedModule& module, std::map<std::string, std::shared_ptr<const Graph>>& all);

/// Ends the graph of `module` with its outputs.
void completeGraph(PrintedModule& module, std::string_view name, std::vector<OutputSlot> slots);

}  // namespace aotscope
