#pragma once

#include "record/compile_story.h"
#include "record/table.h"

#include <set>
#include <span>

namespace aotscope {

/// A list of what a log says of one compilation: "guards", "shapes", "times", "metrics", "records" or "code".
struct TraceList {
    std::string_view name;
    std::set<LogTopic> topics;  ///< that the story has to be read with
    /// Reads the log only for code. Throws Error if it cannot be read.
    Table (*table)(const TraceLog& log, const TracedCompile& compile, const CompileStory& story);
};
std::span<const TraceList> traceLists();

/// A list of many compilations, without rows: its first two columns say of which log and of which compilation.
Table listTable(const TraceList& list);
void addRows(Table& table, const TraceList& list, const TraceLog& log, const TracedCompile& compile,
             const CompileStory& story);

/// Those that a trace as JSON has, too.
Table loggedGuardsTable(const CompileStory& story);
Table loggedSymbolsTable(const CompileStory& story);
Table compileTimesTable(const CompileStory& story);

}  // namespace aotscope
