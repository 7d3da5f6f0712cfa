#pragma once

#include "record/compile_story.h"
#include "support/progress.h"

#include <filesystem>
#include <vector>

namespace aotscope {

/// What the text of TORCH_LOGS says about compilations besides their graphs: recompiles, graph_breaks, guards, dynamic.
struct TextStories {
    TraceLog log;                       ///< without records: locations of functions are those in the text
    std::vector<CompileStory> stories;  ///< parallel to the compilations
};

/// Reads the file once; without compilations if it has no such messages. Throws Error if it cannot be read.
TextStories readTextStories(const std::filesystem::path& path, const Progress& progress);

}  // namespace aotscope
