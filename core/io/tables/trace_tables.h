#pragma once

#include "record/compile_story.h"
#include "record/table.h"

#include <set>
#include <span>

namespace aotscope {

/// A list of what a log says about one compilation, for `--list`.
struct TraceList {
    std::string_view name;
    std::set<LogTopic> topics;  ///< that the story must include
    /// Reads the log only for code. Throws Error if it is unreadable.
    Table (*table)(const TraceLog& log, const TracedCompile& compile, const CompileStory& story);
    bool inJson = false;         ///< the JSON of a log has its rows, too
    std::string_view page = {};  ///< its heading on the page Compilations; empty: not shown there as a list
};
std::span<const TraceList> traceLists();

/// Empty, for many compilations: before the columns of `one`, two give the log and the compilation.
Table listTable(Table one);
void addRows(Table& table, const TraceLog& log, const TracedCompile& compile, Table one);

/// Empty, for printed graphs: a row for each, and for what happened.
Table printedTable();

Table loggedGuardsTable(const CompileStory& story);
Table compileTimesTable(const CompileStory& story);

}  // namespace aotscope
