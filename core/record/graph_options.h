#pragma once

#include "record/compile_record.h"
#include "record/options/options.h"

namespace aotscope {

/// Marks the options of these graphs as used: those of the partitioner if it has split them, and those of ranks and
/// collectives if ranks communicate. Explains the others.
void useForGraphs(const Options& options, const CompileRecord& record);

/// Marks the options that a run of these printed graphs would use: the run is created when something first runs, which
/// is too late to reject others.
void useForPrintedRun(const Options& options, const CompileRecord& record);

}  // namespace aotscope
