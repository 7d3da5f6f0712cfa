#pragma once

#include "ir/graph.h"

#include <string_view>

namespace aotscope {

/// Gives the nodes of `graph`, read from `text`, the provenance that printWithProvenance has written in comments. A
/// comment holds for the nodes up to the next one, unless that is the same: then something in between has none.
void readComments(std::string_view text, Graph& graph);

}  // namespace aotscope
