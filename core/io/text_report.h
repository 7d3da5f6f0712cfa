#pragma once

#include "compile/compilers.h"
#include "record/compile_record.h"
#include "record/results/results.h"
#include "support/formatted.h"

#include <string>
#include <vector>

namespace aotscope {

/// Rows of cells as aligned columns; a column whose cells all look like numbers is right-aligned.
/// The first row is the heading.
std::string textTable(const std::vector<std::vector<std::string>>& rows);

/// What the wrapper does before and after the graph, a line each; only a count if that is much.
std::string runtimeText(const FunctionMetadata& function, const FunctionMetadata& graph);

/// "f32[s0, 64]", or "Sym(2*s0)" for a size.
std::string formatType(const Partition& partition, const SavedValue& value);

/// Tables that the command line prints.
std::string summaryText(const CompileRecord& record);
/// How many operations the graphs have, and what the partition saves: a line each.
std::string graphsText(const CompileRecord& record);
std::string passesText(const CompileRecord& record);
std::string partitionText(const Partition& partition, std::size_t largest);
/// `reference`: see checkReference().
/// A line for each: "warning: ...".
std::string fallbackText(const std::vector<std::string>& fallbacks);

std::string checkText(const CheckResult& check, const std::string& reference = "eager");
std::string bisectText(const BisectResult& result);
/// How large differences may be that a check takes for rounding: one sentence.
std::string toleranceText();
std::string crossCheckText(const CrossCheckReport& report);
/// Which backend ran which graph, with the reason where it is not the chosen one.
std::string compilersText(const std::vector<CompilerUse>& compilers);

/// The backends as of the last run; the other results may be null.
const std::vector<CompilerUse>& compilersIn(const CompileRecord& record, const CheckResult* check,
                                            const TimingResult* timing);

}  // namespace aotscope
