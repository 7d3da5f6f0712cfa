#pragma once

#include "ir/graph.h"

#include <string_view>

namespace aotscope {

/// Gives the nodes of `graph`, read from `text`, the provenance that printWithProvenance wrote in comments. A comment
/// applies to the nodes up to the next one, unless that is equal: then a node in between has none.
void readComments(std::string_view text, Graph& graph);

}  // namespace aotscope
