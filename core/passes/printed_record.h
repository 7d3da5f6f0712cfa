#pragma once

#include "cost/machine_model.h"
#include "load/printed/log/family.h"
#include "partition/joint_to_split.h"
#include "record/options/options.h"

namespace aotscope {

/// The compilation with this id; if empty, the first one with a graph of AOTAutograd. Throws UsageError.
const PrintedCompile& chooseCompile(const LogIndex& index, const std::string& id);

/// What another split of a printed joint graph may need.
struct SplitSources {
    MachineSource machine;
    PlanSource plans;
};

/// The graphs of one compilation of `index` as a record of the pipeline; `sources`: for options that split it. Throws
/// Error if `options.compileId` is not in the file or a graph is unreadable.
std::shared_ptr<const CompileRecord> makePrintedRecord(const Options& options, const LogIndex& index,
                                                       const GraphRules& rules, const Progress& progress,
                                                       const SplitSources& sources = {});

}  // namespace aotscope
