#pragma once

#include "record/compile_record.h"

#include <QString>

namespace aotscope {

/// What the metadata says of a node of `graph`, for the inspector: every field of the arguments that it stands for and
/// of the outputs that it is returned as, and what the wrapper does about them. Empty if it says nothing.
QString metadataHtml(const Node& node, const Graph& graph, GraphKind kind, const CompileRecord& record);

}  // namespace aotscope
