#pragma once

#include "record/compile_record.h"
#include "record/options/compiler_choice.h"
#include "record/results/results.h"
#include "support/formatted.h"

#include <string>
#include <vector>

namespace aotscope {

/// The wrapper's work before and after the graph, a line each, or only a count if there are many.
std::string runtimeText(const FunctionMetadata& function, const FunctionMetadata& graph);

/// Tables that the command line prints.
std::string summaryText(const CompileRecord& record);
/// The number of operations in each graph, and the saved memory of the partition, a line each.
std::string graphsText(const CompileRecord& record);
std::string passesText(const CompileRecord& record);
std::string partitionText(const Partition& partition, std::size_t largest);
/// A line for each: "warning: ...".
std::string fallbackText(const std::vector<std::string>& fallbacks);

/// `reference`: see checkReference().
std::string checkText(const CheckResult& check, const std::string& reference = "eager");
std::string bisectText(const BisectResult& result);
std::string crossCheckText(const CrossCheckReport& report);
/// Which backend ran which graph, with the reason if it is not the chosen one.
std::string compilersText(const std::vector<CompilerUse>& compilers);

/// The backends as of the last run; the other results may be null.
const std::vector<CompilerUse>& compilersIn(const CompileRecord& record, const CheckResult* check,
                                            const TimingResult* timing);

}  // namespace aotscope
