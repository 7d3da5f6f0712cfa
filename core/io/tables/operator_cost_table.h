#pragma once

#include "cost/machine_model.h"
#include "record/compile_record.h"
#include "record/table.h"

namespace aotscope {

/// What each operation of the executed graphs takes, a row for each signature, the longest total first. The summary
/// says how much of it is measured.
Table operatorCostTable(const CompileRecord& record, const MachineModel& machine);

}  // namespace aotscope
