#pragma once

#include "ir/graph.h"

#include <string>

namespace aotscope {

/// What the model overwrites that its backward needs: the operation, the value and its last use before, with their
/// places, as a clause. `asWritten`: the program with its mutations. `refusal`: what autograd says ("... is at version
/// 2; expected version 1 instead"). Empty if it cannot be told.
std::string overwrittenValue(const Graph& asWritten, std::string_view refusal);

}  // namespace aotscope
