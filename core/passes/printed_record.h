#pragma once

#include "load/printed/log/family.h"
#include "record/options/options.h"

namespace aotscope {

/// The compilation with this id; if empty, the first one with a graph of AOTAutograd. Throws UsageError.
const PrintedCompile& chooseCompile(const LogIndex& index, const std::string& id);

/// The graphs of one compilation of `index` as a record of the pipeline. Throws Error if `options.compileId` is not in
/// the file or a graph is unreadable.
std::shared_ptr<const CompileRecord> makePrintedRecord(const Options& options, const LogIndex& index,
                                                       const GraphRules& rules, const Progress& progress);

}  // namespace aotscope
