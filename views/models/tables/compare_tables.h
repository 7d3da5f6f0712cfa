#pragma once

#include "io/differences/run_difference.h"
#include "models/tables/table_content.h"
#include "record/results/results.h"

namespace aotscope {

/// Two compared runs; the baseline comes first.
struct ComparedPair {
    std::shared_ptr<const CompileRecord> baseline, other;
    QString baselineName, otherName;
    bool otherIsShown = true;  ///< the one shown in the window: rows stand for its nodes
};

/// How two runs differ: times if they were measured interleaved (`timing`: the baseline first; may be null), operations
/// of every graph, saved and recomputed values, then every node and every fact that differs. `difference` may be null:
/// not computed yet. Less is minus.
TableContent runDifferenceTable(const ComparedPair& runs, const RunDifference* difference,
                                const VariantTiming* timing = nullptr);

/// The compilations of a run, including the first: the inputs of each one, and its reason. Empty if nothing was
/// recompiled.
TableContent compilationsTable(const CompileRecord& first, const std::vector<Recompilation>& recompilations);

/// Everything known about a node and its counterpart in another run, side by side; the first column marks differences.
/// Either may be null.
TableContent nodePairTable(const Node* here, const Node* there, const QString& hereName, const QString& thereName);

}  // namespace aotscope
