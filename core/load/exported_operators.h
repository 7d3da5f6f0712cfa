#pragma once

#include "load/export_schema.h"
#include "ops/operator_policy.h"

namespace aotscope {

/// Asks `judge` for every operator that a node of an exported program calls, those of its regions included.
void judgeNodes(const exported::Graph& graph, OperatorJudge& judge);

}  // namespace aotscope
