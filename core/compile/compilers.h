#pragma once

#include "record/options/compiler_choice.h"
#include "record/options/compiler_info.h"

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

class Compiler;

/// See CompilerSource.
std::vector<CompilerInfo> compilerList(const std::vector<std::filesystem::path>& plugins);

/// Throws UsageError for an unknown backend, setting or plug-in.
void checkCompilers(const CompilerChoice& choice);

/// The backend `name` with its settings. Throws as checkCompilers does.
std::shared_ptr<const Compiler> makeCompiler(const std::string& name, const CompilerChoice& choice);

}  // namespace aotscope
