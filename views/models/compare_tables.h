#pragma once

#include "io/run_difference.h"
#include "models/table_content.h"
#include "record/results.h"

namespace aotscope {

/// What distinguishes two runs as a whole: their times if they were taken in turn (`timing` may be null), operations of
/// every graph, what is saved and what is recomputed.
TableContent runDifferenceTable(const RunSummary& here, const RunSummary& there, const QString& hereName,
                                const QString& thereName, const VariantTiming* timing = nullptr);

/// Everything known of a node and of its counterpart in another run, side by side; where they differ the first column
/// says so. Either may be null.
TableContent nodePairTable(const Node* here, const Node* there, const QString& hereName, const QString& thereName);

}  // namespace aotscope
