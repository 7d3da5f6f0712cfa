#pragma once

#include "models/tables/table_content.h"
#include "ops/decompositions/decomposition_table.h"

namespace aotscope {

/// The active rules and how often each was used. `table` may be null: no decompositions.
TableContent decompositionRules(const DecompositionTable* table, const CompileRecord& record);
/// Every rewrite: the call, its rule, and the result.
TableContent rewriteTable(const CompileRecord& record);

}  // namespace aotscope
