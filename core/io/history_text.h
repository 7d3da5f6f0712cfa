#pragma once

#include "record/history/node_history.h"
#include "record/table.h"

#include <string>

namespace aotscope {

/// A line for every graph of the run in which the node appears, changes or is removed, as a table; then which pass
/// introduced it. Passes that do not change it are only counted.
std::string historyText(const CompileRecord& record, const std::vector<HistoryStep>& steps);

/// A row for every graph of the run that has the node, or no longer has it.
Table historyTable(const CompileRecord& record, const std::vector<HistoryStep>& steps);

/// The history of the first node with this name or label in the graphs of a run. Throws UsageError, suggesting similar
/// names, if no node has it.
std::vector<HistoryStep> historyOfName(const std::shared_ptr<const CompileRecord>& record, const std::string& node);

}  // namespace aotscope
