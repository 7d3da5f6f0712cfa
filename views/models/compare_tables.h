#pragma once

#include "io/run_difference.h"
#include "models/table_content.h"
#include "record/results.h"

namespace aotscope {

/// How two runs differ as a whole: times if they were measured interleaved (`timing` may be null), operations of
/// every graph, saved and recomputed values.
TableContent runDifferenceTable(const RunSummary& here, const RunSummary& there, const QString& hereName,
                                const QString& thereName, const VariantTiming* timing = nullptr);

/// The compilations of a run, the first included: which inputs each one is for, and why it was made. Empty if nothing
/// was recompiled.
TableContent compilationsTable(const CompileRecord& first, const std::vector<Recompilation>& recompilations);

/// Everything known about a node and its counterpart in another run, side by side; the first column marks
/// differences. Either may be null.
TableContent nodePairTable(const Node* here, const Node* there, const QString& hereName, const QString& thereName);

}  // namespace aotscope
