#pragma once

#include "load/trace_log/cache_record.h"
#include "load/trace_log/generated_code.h"
#include "models/time_bars.h"
#include "record/history/rank_difference.h"

#include <QString>

namespace aotscope {

/// The content of a compilation's page, read in the background.
struct CompilePage {
    std::shared_ptr<const TraceLog> log;
    std::size_t compile = 0;  ///< in the log
    CompileStory story;
    std::vector<std::vector<KeyDifference>> missed;  ///< parallel to the story's cache events
    std::vector<GeneratedCode> code;
    std::vector<RankDifference> differences;  ///< of this compilation, from the logs of other ranks
    std::vector<std::string> ranks;           ///< the logs' names
    std::vector<std::string> madeFor;         ///< parallel to the story's failed guards: see madeFor()

    const TracedCompile& traced() const { return log->compiles[compile]; }
};

/// A log with several compilations in short, as HTML: graph breaks by place, reasons of recompilations, failures, the
/// longest compilations, caches. `stories`: parallel to the compilations. Links: as on the pages of compilations.
QString logHtml(const TraceLog& log, const std::vector<CompileStory>& stories);

/// The page as HTML. `shown`: the id of the compilation whose graphs the window shows, as in the log. Links: "open:0/1"
/// shows the graphs of a compilation, "about:0/1" its page, "node:mul" a node of the shown graphs, "record:12" the
/// record in that line of the log, "source:12:x.py" a line of a Python file, "saved:" the table of saved values,
/// "guards:" the guards, "log:" what logHtml() writes.
QString compileHtml(const CompilePage& page, const QString& shown, bool guards);

/// One record of a log as text, below a link back to the page.
QString recordHtml(const CompilePage& page, const LogRecord& record, const QString& text);

/// Compile times as bars.
TimePicture compilePicture(const CompileStory& story);

}  // namespace aotscope
