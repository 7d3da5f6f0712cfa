#pragma once

#include "canvas/layout/layout.h"

namespace aotscope {

/// The name of the drawn node with this index in question and answer.
QByteArray nodeName(int node);

/// The question to Graphviz for one column: boxes of fixed size, without labels. With `fixedRows`, a chain of invisible
/// row markers named r0, r1, ... holds each one in its row.
QByteArray dotForColumn(const DrawnGraph& graph, const LayoutPlan::Column& column, const std::vector<int>& rows,
                        bool fixedRows);

}  // namespace aotscope
