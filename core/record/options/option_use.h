#pragma once

#include "record/compile_record.h"
#include "record/options/option_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// The options of these graphs are used: those of the partitioner if it has split them, and those of ranks and
/// collectives if ranks exchange anything. The others are explained.
void useForGraphs(const Options& options, const CompileRecord& record);

/// The compilers that were chosen for the graphs that there are, their settings and plug-ins are used, where what they
/// make of the graphs is run or shown.
void useCompilers(const Options& options, bool hasBackward);

/// Why the options of the partitioner, and all others, are not used where nobody says that they are.
void explainUnused(const Options& options, const std::string& partition, const std::string& others);

/// Throws UsageError for what was typed of the partition, where nothing that is shown depends on it; `why` is a clause
/// that says what to do.
void refusePartition(const Options& options, const std::string& why);
/// The halves do; what is split is the same for every partition.
bool dependsOnPartition(GraphKind kind);

/// What was typed and is not used, each with the reason: "--solver: only for a memory budget below 1; choose one".
std::vector<std::string> unusedOptions(const Options& options);

}  // namespace aotscope
