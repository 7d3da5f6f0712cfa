#pragma once

#include "record/compile_record.h"
#include "record/options/options.h"

namespace aotscope {

/// Marks the options of these graphs as used: those of the partitioner if it has split them, and those of ranks and
/// collectives if ranks communicate. Explains the others.
void useForGraphs(const Options& options, const CompileRecord& record);

}  // namespace aotscope
