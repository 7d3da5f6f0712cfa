#pragma once

#include "record/pass_graphs.h"

#include <QString>

namespace aotscope {

/// The title of the tab for a kind of graph.
QString titleOf(GraphKind kind);

/// What a kind of graph is, in a sentence for those who do not know.
QString sentenceOn(GraphKind kind);

/// The title of one of several graphs of its kind: "Joint, after dead-code".
QString titleOf(const CompileRecord& record, const PassGraph& graph);

}  // namespace aotscope
