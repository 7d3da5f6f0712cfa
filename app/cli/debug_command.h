#pragma once

#include "record/options.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace aotscope {

/// What `aotscope debug` does: edits first, then one run to where there is a reason to stop.
struct DebugScript {
    std::vector<std::string> edits;  ///< "[GRAPH:]NODE=VALUE"
    std::vector<std::string> breakpoints;
    std::vector<std::string> watches;  ///< "[GRAPH:]NODE"
    bool firstNaN = false, againstEager = false;
    std::string against;  ///< another model or session; empty: none
};

void addDebugFlags(CLI::App& app, DebugScript& script);

/// Prints where the run has stopped, why, and what is watched. Returns the program's exit code.
int debugModel(const Options& options, const DebugScript& script, bool json);

}  // namespace aotscope
