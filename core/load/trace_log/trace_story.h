#pragma once

#include "record/compile_story.h"
#include "support/progress.h"

#include <set>

namespace aotscope {

/// What the records of a compilation say about these topics, or about all if empty. Unreadable ones are among the
/// problems of the story. Throws Error if the file cannot be opened, Cancelled.
CompileStory readStory(const TraceLog& log, const TracedCompile& compile, const Progress& progress,
                       const std::set<LogTopic>& topics = {});

/// The topics that the overview of a log needs.
std::set<LogTopic> overviewTopics();

}  // namespace aotscope
