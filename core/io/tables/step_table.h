#pragma once

#include "cost/machine_model.h"
#include "record/results/results.h"
#include "record/table.h"

namespace aotscope {

/// A row for every timed step. `machine` provides the estimates beside the measured times; null: no estimates.
Table stepTable(const TimingResult& timing, const CompileRecord& record, const MachineModel* machine);

/// The modules with their times, each before its parts.
Table moduleTable(const TimingResult& timing, const CompileRecord& record);

}  // namespace aotscope
