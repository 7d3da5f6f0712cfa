#pragma once

#include "record/graph_kind.h"
#include "record/options/option_table.h"

#include <string>
#include <vector>

namespace aotscope {

/// Marks the compilers chosen for existing graphs as used, with their settings and plug-ins, if their kernels are run
/// or shown.
void useCompilers(const Options& options, bool hasBackward);

/// Explains why the options of the partitioner, and all others, are not used unless they are marked.
void explainUnused(const Options& options, const std::string& partition, const std::string& others);

/// Throws UsageError for given partition options if nothing shown depends on them; `why` is a clause that says what to
/// do.
void refusePartition(const Options& options, const std::string& why);
/// Forward and backward do; the graph that is split is the same for every partition.
bool dependsOnPartition(GraphKind kind);

/// The given but unused options, each with the reason: "--solver: only for a memory budget below 1; choose one".
std::vector<std::string> unusedOptions(const Options& options);

}  // namespace aotscope
