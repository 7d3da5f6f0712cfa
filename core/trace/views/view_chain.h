#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// The view operations that lead to `node` from the value whose memory it shares, in order: "view([-1])".
std::vector<std::string> viewChain(const Node* node);

}  // namespace aotscope
