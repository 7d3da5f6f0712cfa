#pragma once

#include "load/exported/export_schema.h"
#include "ops/operator_policy.h"

namespace aotscope {

/// Passes every operator that an exported program calls, regions included, to `judge`.
void judgeNodes(const exported::Graph& graph, OperatorJudge& judge);

}  // namespace aotscope
