#pragma once

#include "record/compiler_choice.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace aotscope {

/// What the command line says about the backends, as it is typed.
struct CompilerFlags {
    std::string forward = CompilerChoice{}.forward, backward, inference;
    std::vector<std::string> settings, plugins;
};

void addCompilerFlags(CLI::App& app, CompilerFlags& flags);
void addPluginFlag(CLI::App& app, CompilerFlags& flags);

/// Throws UsageError for a backend, a setting or a plug-in that there is not.
CompilerChoice chosenCompilers(const CompilerFlags& flags);

}  // namespace aotscope
