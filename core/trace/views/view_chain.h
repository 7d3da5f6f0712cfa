#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// The view operations from the value whose memory `node` shares to `node`, in order: "view([-1])".
std::vector<std::string> viewChain(const Node* node);

}  // namespace aotscope
