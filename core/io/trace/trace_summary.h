#pragma once

#include "record/compile_story.h"

#include <string>
#include <vector>

namespace aotscope {

/// A log of TORCH_TRACE in short: what happened where, and how often. Compilations are positions in the log.
struct TraceSummary {
    /// Something that happened for the same reason at the same place, in one or more compilations.
    struct Happening {
        std::string what;  ///< of the first one
        CodePlace place;
        std::vector<std::size_t> compiles;  ///< once for each time
    };
    struct Cache {
        std::string name;
        std::size_t hits = 0, misses = 0, others = 0;  ///< others: bypasses and failures
        double savedMs = 0;
    };
    /// Most frequent first. Recompilations whose reasons differ only in numbers are one.
    std::vector<Happening> breaks, recompilations, failures;
    std::vector<std::size_t> slowest;  ///< longest first; without those whose time is not logged
    double seconds = 0;
    std::vector<Cache> caches;
};

/// `stories`: parallel to the compilations of the log.
TraceSummary summaryOf(const std::vector<CompileStory>& stories);

}  // namespace aotscope
