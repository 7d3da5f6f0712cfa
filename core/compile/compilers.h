#pragma once

#include "record/compiler_choice.h"

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

class Compiler;

/// Something that can be set of a backend.
struct CompilerSetting {
    std::string name, standard, help;
    std::vector<std::string> values;  ///< that it may have; empty: any text
};

struct CompilerInfo {
    std::string name, help;
    std::vector<CompilerSetting> settings;
};

/// All backends, those of plug-ins behind the built-in ones. Throws UsageError for a plug-in that cannot be used.
std::vector<CompilerInfo> compilerList(const std::vector<std::filesystem::path>& plugins);

/// Throws UsageError for a name, a setting or a plug-in that there is not.
void checkCompilers(const CompilerChoice& choice);

/// The plug-ins of `choice` that bring one of its backends, or may, since they cannot be loaded.
std::vector<std::filesystem::path> pluginsInUse(const CompilerChoice& choice);

/// The backend `name` with its settings. Throws as checkCompilers does.
std::shared_ptr<const Compiler> makeCompiler(const std::string& name, const CompilerChoice& choice);

}  // namespace aotscope
