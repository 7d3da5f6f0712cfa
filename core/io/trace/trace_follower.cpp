#include "io/trace/trace_follower.h"

#include "io/trace/trace_log_text.h"
#include "load/trace_log/rank_logs.h"
#include "load/trace_log/trace_story.h"
#include "support/error.h"
#include "support/formatted.h"
#include "support/quoted.h"

#include <system_error>

namespace aotscope {

namespace fs = std::filesystem;

TraceFollower::TraceFollower(fs::path place) : place_(std::move(place)) {}

std::vector<std::string> TraceFollower::poll(const Progress& progress) {
    std::vector<std::string> lines;
    std::error_code failed;
    if (fs::is_directory(place_, failed) && fs::is_empty(place_, failed)) return lines;  // nothing is written yet
    for (const fs::path& path : traceLogsAt(place_)) {
        const auto size = fs::file_size(path, failed);
        if (failed) throw Error("'" + path.string() + "' cannot be followed: " + failed.message());
        auto log = logs_.find(path);
        if (log != logs_.end() && size < log->second.bytes) logs_.erase(log), log = logs_.end();  // rewritten
        if (log == logs_.end()) log = logs_.emplace(path, Followed{TraceIndexer(path), 0, {}, {}}).first;
        if (size == log->second.bytes) continue;
        log->second.bytes = size;
        poll(log->second, logs_.size() > 1 ? path.filename().string() + ": " : "", lines, progress);
    }
    return lines;
}

void TraceFollower::poll(Followed& followed, const std::string& name, std::vector<std::string>& lines,
                         const Progress& progress) {
    followed.indexer.advance(progress);
    const TraceLog log = followed.indexer.log(TraceIndexer::End::growing);
    for (const TracedCompile& compile : log.compiles) {
        auto& known = followed.records[compile.id];
        if (known == compile.records.size()) continue;
        known = compile.records.size();
        const CompileStory story = readStory(log, compile, progress, overviewTopics());
        auto happened = happenings(story);
        if (story.seconds > 0) happened.push_back("compiled in " + formatDuration(story.seconds * 1000));
        auto& told = followed.told[compile.id];
        for (const std::string& what : happened)
            if (told.insert(what).second)
                lines.push_back(name + compile.id + "  " + shortPlace(compile.code) + "  " + oneLine(what));
    }
}

}  // namespace aotscope
