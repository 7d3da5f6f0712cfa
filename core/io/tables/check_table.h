#pragma once

#include "record/results/results.h"
#include "record/table.h"

namespace aotscope {

/// A row for each value that a check has compared.
Table checkedValueTable(const CheckResult& check);

/// The same, then rows for what differs and is no such value: the number of outputs, memory beside an input, values at
/// other sizes.
Table comparedTable(const CheckResult& check);

}  // namespace aotscope
