#pragma once

#include "record/table.h"

namespace aotscope {

/// A row for each condition on sizes and data under which the compiled function is valid.
Table guardTable(const CompileRecord& record);
/// A row for each assumption about its caller; the same columns.
Table assumptionTable(const CompileRecord& record);

}  // namespace aotscope
