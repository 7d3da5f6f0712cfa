#pragma once

#include "models/table_content.h"
#include "ops/decomposition_table.h"

namespace aotscope {

/// The rules that are in effect, and how often each was used. `table` may be null: nothing is decomposed.
TableContent decompositionRules(const DecompositionTable* table, const CompileRecord& record);
/// Every single rewrite: the call, its rule, what it became.
TableContent rewriteTable(const CompileRecord& record);

}  // namespace aotscope
