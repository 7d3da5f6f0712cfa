#pragma once

#include "load/printed/passes/pass_reader.h"
#include "passes/pass_observer.h"
#include "record/options/options.h"

namespace aotscope {

/// A sequence of printed graphs as a record: a pass for each graph. `observer` may be null. Throws Error if no graph
/// can be read.
std::shared_ptr<const CompileRecord> makeSequenceRecord(const Options& options, const PassSequences& sequences,
                                                        const PassSequence& sequence, const GraphRules& rules,
                                                        PassObserver* observer, const Progress& progress);

}  // namespace aotscope
