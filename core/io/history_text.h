#pragma once

#include "record/history/node_history.h"
#include "record/table.h"

#include <string>

namespace aotscope {

/// A line for every graph of the run in which the node appears, changes or is gone, as a table; then which pass
/// introduced it. Passes that leave it as it is are counted.
std::string historyText(const CompileRecord& record, const std::vector<HistoryStep>& steps);

/// A row for every graph of the run in which the node is, or is gone.
Table historyTable(const CompileRecord& record, const std::vector<HistoryStep>& steps);

/// The history of the first node of this name, or of this label, among the graphs of a run. Throws UsageError, with
/// similar names, if there is none.
std::vector<HistoryStep> historyOfName(const std::shared_ptr<const CompileRecord>& record, const std::string& node);

}  // namespace aotscope
