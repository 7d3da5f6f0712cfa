#pragma once

#include "record/compile_story.h"
#include "record/table.h"

#include <set>
#include <span>

namespace aotscope {

/// A list of what a log says about one compilation: "guards", "shapes", "times", "metrics", "records" or "code".
struct TraceList {
    std::string_view name;
    std::set<LogTopic> topics;  ///< that the story must include
    /// Reads the log only for code. Throws Error if it is unreadable.
    Table (*table)(const TraceLog& log, const TracedCompile& compile, const CompileStory& story);
};
std::span<const TraceList> traceLists();

/// An empty list for many compilations: its first two columns give the log and the compilation.
Table listTable(const TraceList& list);
void addRows(Table& table, const TraceList& list, const TraceLog& log, const TracedCompile& compile,
             const CompileStory& story);

/// The guards that the JSON of a trace has, too.
Table loggedGuardsTable(const CompileStory& story);
Table loggedSymbolsTable(const CompileStory& story);
Table compileTimesTable(const CompileStory& story);

}  // namespace aotscope
