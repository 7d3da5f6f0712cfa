#pragma once

#include "ir/graph.h"

#include <memory>
#include <string_view>

namespace aotscope {

/// Reads the text that printGraph writes, with either detail. A '#' starts a comment up to the end of the line. Throws
/// Error with line and column, what was expected and what was found.
std::unique_ptr<Graph> parseGraph(std::string_view text);

}  // namespace aotscope
