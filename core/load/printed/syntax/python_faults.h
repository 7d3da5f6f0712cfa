#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// Inputs that a forward saves for its backward although they are overwritten before that runs: by the forward itself,
/// or with values that it returns. Python's backward then reads the new values, or fails. A sentence each. Excludes
/// running statistics of batch norm, which the backward takes but does not read.
std::vector<std::string> overwrittenSaved(const Graph& forward, const Graph& backward);

/// Whether `user` is a batch norm backward in training mode that takes `value` as a running statistic, which it does
/// not read.
bool takesUnread(const Node& user, const Node& value);

}  // namespace aotscope
