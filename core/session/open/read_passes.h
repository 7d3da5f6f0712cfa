#pragma once

#include "load/printed/passes/pass_sequence.h"
#include "session/open/read_printed.h"

namespace aotscope {

/// Reads a folder, or files matching a pattern, with printed graphs: a run with a pass for each of them. Throws Error
/// without graphs.
PrintedReading readPassFolder(const PrintedRequest& request);

/// The same for sequences in one file; nothing if there are none.
std::optional<PrintedReading> readPassesOf(PassSequences sequences, const PrintedRequest& request,
                                           const ChosenLog& log);

/// The sequences of a folder, with a graph for each pass.
std::vector<PrintedSummary> summarizePasses(const PassSequences& sequences, const Progress& progress);

}  // namespace aotscope
