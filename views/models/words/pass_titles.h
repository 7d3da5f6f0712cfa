#pragma once

#include "record/pass_graphs.h"

#include <QString>

namespace aotscope {

/// What a person reads on the tab of a kind of graph.
QString titleOf(GraphKind kind);

/// How a graph of a run is called where there are several of its kind: "Joint, after dead-code".
QString titleOf(const CompileRecord& record, const PassGraph& graph);

}  // namespace aotscope
