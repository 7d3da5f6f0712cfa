#pragma once

#include "record/results/results.h"
#include "record/table.h"

namespace aotscope {

/// A row for each value compared by a check.
Table checkedValueTable(const CheckResult& check);

/// The same, followed by rows for other differences: the number of outputs, memory beside an input, values at other
/// sizes.
Table comparedTable(const CheckResult& check);

}  // namespace aotscope
