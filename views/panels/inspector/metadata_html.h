#pragma once

#include "record/compile_record.h"

#include <QString>

namespace aotscope {

/// The metadata of a node of `graph` as HTML, for the inspector: every field of the arguments and outputs that it
/// represents, and the wrapper's steps that handle them. Empty: none.
QString metadataHtml(const Node& node, const Graph& graph, GraphKind kind, const CompileRecord& record);

}  // namespace aotscope
