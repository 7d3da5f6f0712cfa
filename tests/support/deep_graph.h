#pragma once

#include <string>

namespace aotscope::test {

/// The text of a joint graph with the structure of a deep transformer: `layers` equal blocks with attention and a
/// feed-forward part, residual connections around both, and the backward of all of it; about 200 nodes per layer.
std::string deepGraphText(int layers);

}  // namespace aotscope::test
