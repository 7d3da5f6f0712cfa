#pragma once

#include "load/trace_log/rank_logs.h"
#include "record/compile_story.h"
#include "record/options/options.h"
#include "record/table.h"

#include <string>

namespace aotscope {

/// A trace, and how it is opened.
struct FoundTrace {
    std::shared_ptr<const TraceLog> log;
    std::string model;  ///< see Options
};

/// A trace with the stories of its compilations.
struct ReadTrace : FoundTrace {
    std::vector<CompileStory> stories;  ///< parallel to the compilations; empty where nothing was asked
};

/// A question of 'aotscope compiles' about a trace.
struct TraceQuestion {
    std::string why;        ///< "recompile", "break", "cache", "saved"; empty: none
    std::string list;       ///< "guards", "times", ...; empty: none
    std::string record;     ///< the name of records to print; empty: no records
    std::string compileId;  ///< empty: of all compilations
    Options options;        ///< how graphs are opened

    /// Whether it has one answer, not the overview.
    bool asksOne() const { return !why.empty() || !list.empty() || !record.empty(); }
    /// Whether the answer is a list.
    bool asksList() const { return !list.empty() || why == "saved"; }
};

/// Reads what the question needs. Throws Error, UsageError for an unknown compile id.
ReadTrace readTrace(FoundTrace found, const TraceQuestion& question, bool everything);

/// The same for a text of TORCH_LOGS, which answers the questions of textQuestions() only.
ReadTrace readText(const std::string& path, const TraceQuestion& question);
const std::vector<std::string>& textQuestions();

/// The answer as text.
std::string answerText(const ReadTrace& trace, const TraceQuestion& question);

/// The requested list, or the overview, for many logs: an empty table, and the rows of one log.
Table emptyList(const TraceQuestion& question);
void addRows(Table& table, const ReadTrace& trace, const TraceQuestion& question);

/// The answers to --why.
const std::vector<std::string>& whyQuestions();

}  // namespace aotscope
