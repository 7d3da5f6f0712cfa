#pragma once

#include "record/compile_record.h"

#include <string>

namespace aotscope {

/// The kinds of ModelInfo whose graphs were printed or exported.
inline constexpr std::string_view kPrintedGraphs = "printed graphs", kTraceLog = "TORCH_TRACE log",
                                  kExportedGraph = "exported graph", kPrintedPasses = "printed passes";

/// What a check of this run compares with: "eager"; of printed graphs, "the joint graph" or, where there is none, "the
/// same graphs run operation by operation"; of a sequence of passes, the graph that they began with.
std::string checkReference(const CompileRecord& record);

}  // namespace aotscope
