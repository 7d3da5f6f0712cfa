#pragma once

#include "record/compile_story.h"
#include "support/progress.h"

#include <filesystem>
#include <vector>

namespace aotscope {

/// What a text of TORCH_LOGS says of compilations besides their graphs: recompiles, graph_breaks, guards, dynamic.
struct TextStories {
    TraceLog log;                       ///< without records: places of functions are those that the text names
    std::vector<CompileStory> stories;  ///< parallel to the compilations
};

/// Reads the file once; without compilations if it tells nothing of that kind. Throws Error if it cannot be read.
TextStories readTextStories(const std::filesystem::path& path, const Progress& progress);

}  // namespace aotscope
