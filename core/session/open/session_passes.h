#pragma once

#include "load/printed/passes/pass_sequence.h"
#include "passes/pass_observer.h"
#include "session/open/session_printed.h"
#include "session/open/trace_folder.h"

namespace aotscope {

/// A session on a folder, or files matching a pattern, with printed graphs: a run with a pass for each of them. Throws
/// Error without graphs.
std::shared_ptr<const Session> openPasses(const Options& options, const Progress& progress, PassObserver* observer);

/// The same for sequences in one file; null if there are none.
std::shared_ptr<const Session> openPassesOf(PassSequences sequences, const Options& options, const ChosenLog& log,
                                            const Progress& progress, PassObserver* observer);

/// The sequences of a folder, with a graph for each pass.
std::vector<PrintedSummary> summarizePasses(const PassSequences& sequences, const Progress& progress);

}  // namespace aotscope
