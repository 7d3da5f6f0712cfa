#pragma once

#include "record/pass_graphs.h"

#include <QString>

namespace aotscope {

/// How a graph of a run is called where there are several of its kind: "Joint, after dead-code".
QString titleOf(const CompileRecord& record, const PassGraph& graph);

}  // namespace aotscope
