#pragma once

#include "models/tables/table_content.h"
#include "ops/decompositions/decomposition_table.h"

namespace aotscope {

/// What `table` takes of `rules`, and how often each was used. `table` may be null: no decompositions.
TableContent activeRules(const DecompositionTable* table, const std::vector<DecompositionRule>& rules,
                         const CompileRecord& record);
/// Every rewrite: the call, its rule, and the result.
TableContent rewriteTable(const CompileRecord& record);

}  // namespace aotscope
