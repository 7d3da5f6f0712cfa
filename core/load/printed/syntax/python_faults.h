#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// Inputs that a forward saves for its backward although they are overwritten before that runs: by the forward itself,
/// or with the values that it returns for them. Python's backward reads the new values then, or fails. A sentence each.
/// Running statistics of batch norm, which the backward takes and does not read, are none.
std::vector<std::string> overwrittenSaved(const Graph& forward, const Graph& backward);

/// Whether `user` is a backward of batch norm in training that takes `value` as a running statistic: it does not read
/// it.
bool takesUnread(const Node& user, const Node& value);

}  // namespace aotscope
