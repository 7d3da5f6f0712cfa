#pragma once

#include "models/table_content.h"
#include "record/options.h"

namespace aotscope {

/// The collectives of the graphs that run, on a simulated timeline.
TableContent communicationTable(const CompileRecord& record, const Options& options);

}  // namespace aotscope
