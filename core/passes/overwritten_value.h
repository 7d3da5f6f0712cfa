#pragma once

#include "ir/graph.h"

#include <string>

namespace aotscope {

/// The mutation of a value that the backward needs: the operation, the value and its last use before, with their
/// places, as a clause. `asWritten`: the program with its mutations. `refusal`: autograd's error ("... is at version 2;
/// expected version 1 instead"). Empty if unknown.
std::string overwrittenValue(const Graph& asWritten, std::string_view refusal);

}  // namespace aotscope
