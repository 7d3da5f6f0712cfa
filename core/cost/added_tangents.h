#pragma once

#include "ir/metadata.h"

#include <vector>

namespace aotscope {

/// By tangent: whether autograd adds it up from the gradients of several outputs (an output and views of it that are
/// returned, too, or several views of a base), in memory of its own.
std::vector<bool> addedTangents(const FunctionMetadata& metadata);

}  // namespace aotscope
