#pragma once

#include "record/table.h"

namespace aotscope {

/// A row for each pass that has run.
Table passTable(const CompileRecord& record);

}  // namespace aotscope
