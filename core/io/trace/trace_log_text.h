#pragma once

#include "load/trace_log/cache_record.h"
#include "record/compile_record.h"
#include "record/table.h"
#include "record/trace_log.h"

#include <string>
#include <vector>

namespace aotscope {

/// The row of a compilation in the table of a trace: its function, its graphs, and what happened.
Table overviewTable(const TraceLog& log, const TracedCompile& compile, const CompileStory& story);
/// That table, with resume functions below the functions that they continue. `stories`: parallel to the compilations.
std::string overviewText(const TraceLog& log, const std::vector<CompileStory>& stories);
/// The line above it: the number of compilations.
std::string overviewSummary(const TraceLog& log, const std::vector<CompileStory>& stories);

/// The unreadable parts of a log, a line each; empty if there are none.
std::string problemsText(const TraceLog& log, const std::vector<CompileStory>& stories);

/// "FX graph cache: miss".
std::string cacheText(const CacheEvent& event);

/// The value that the compilation of the failed guard was specialized to, if its guards include that value, or empty.
std::string madeFor(const FailedGuard& failed, const CompileStory& earlier);

/// Answers to "why", each for one compilation; empty if the question does not apply. `madeFor`: parallel to the failed
/// guards, each of a different compilation.
std::string whyRecompiledText(const TracedCompile& compile, const CompileStory& story,
                              const std::vector<std::string>& madeFor);
std::string whyBrokenText(const TracedCompile& compile, const CompileStory& story);
/// `missed`: the differing parts of keys, parallel to the events.
std::string whyCachedText(const TracedCompile& compile, const CompileStory& story,
                          const std::vector<std::vector<KeyDifference>>& missed);
/// What the printed backward saves. `ours`: the same joint graph split by our partitioner; null: it cannot be split.
Table whySavedTable(const CompileRecord& printed, const CompileRecord* ours, const CompileStory& story);
std::string whySavedText(const CompileRecord& printed, const CompileRecord* ours, const CompileStory& story);

/// "memory budget 0.5: 34.8 kB saved, ...", and the values that it decided.
std::string memoryBudgetText(const LoggedMinCut& cut);

/// "cache", "break", ...: a line for each event of a compilation.
std::vector<std::string> happenings(const CompileStory& story);
/// "joint", "forward", "backward": the graphs of a compilation.
std::vector<std::string> graphNames(const TraceLog& log, const TracedCompile& compile);

}  // namespace aotscope
