#pragma once

#include "canvas/layout/layout.h"

namespace aotscope {

/// What the drawn node with this index is called in the question and in the answer.
QByteArray nodeName(int node);

/// The question to Graphviz for one column: boxes of fixed size, without labels. With `fixedRows` every one is held
/// in its row by a chain of invisible row markers named r0, r1, ...
QByteArray dotForColumn(const DrawnGraph& graph, const LayoutPlan::Column& column, const std::vector<int>& rows,
                        bool fixedRows);

}  // namespace aotscope
