#pragma once

#include "load/trace_log/cache_record.h"
#include "record/compile_record.h"
#include "record/trace_log.h"

#include <string>
#include <vector>

namespace aotscope {

/// A table of a trace: what was compiled, functions that continue others below them, and what happened to each.
/// `stories`: parallel to the compilations.
std::string overviewText(const TraceLog& log, const std::vector<CompileStory>& stories);
/// The line above it: how much was compiled.
std::string overviewSummary(const TraceLog& log, const std::vector<CompileStory>& stories);

/// What cannot be read in a log, a line for each place; empty if there is nothing.
std::string problemsText(const TraceLog& log, const std::vector<CompileStory>& stories);

/// What the compilation was made for whose guard has failed, if a guard of its own is about the same value; else empty.
std::string madeFor(const FailedGuard& failed, const CompileStory& earlier);

/// Answers to "why", each for one compilation; empty if it does not arise.
/// `madeFor`: parallel to the guards that failed, each of a compilation of its own.
std::string whyRecompiledText(const TracedCompile& compile, const CompileStory& story,
                              const std::vector<std::string>& madeFor);
std::string whyBrokenText(const TracedCompile& compile, const CompileStory& story);
/// `missed`: parallel to the events, the parts of keys that differ.
std::string whyCachedText(const TracedCompile& compile, const CompileStory& story,
                          const std::vector<std::vector<KeyDifference>>& missed);
/// What the printed backward keeps. `ours`: the same joint graph as our partitioner splits it; null: it cannot.
std::string whySavedText(const CompileRecord& printed, const CompileRecord* ours, const CompileStory& story);

/// "memory budget 0.5: 34.8 kB saved, ...", and which values it decided about.
std::string memoryBudgetText(const LoggedMinCut& cut);

/// "cache", "break", ...: one line for each thing that happened to a compilation.
std::vector<std::string> happenings(const CompileStory& story);
/// "joint, forward, backward": the graphs of a compilation.
std::string graphNames(const TraceLog& log, const TracedCompile& compile);

}  // namespace aotscope
