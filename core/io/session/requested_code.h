#pragma once

#include "io/session/content.h"
#include "record/options/compiler_info.h"

#include <string>

namespace aotscope {

/// Moves libraries, plug-ins and settings of compilers that are not built in from `options` to `code`.
void moveCode(Options& options, RequestedCode& code);

/// The settings of compilers that are not built in.
std::map<std::string, std::string> ownSettings(const CompilerChoice& choice);

/// Adds the entries of `more` that `code` lacks.
void addCode(RequestedCode& code, const RequestedCode& more);

/// The part of `code` that `options` lack and need: libraries; plug-ins if a chosen compiler is unknown; settings of
/// the chosen compilers. Paths are absolute. Asks `compilers` for the plug-ins of `options`. Throws UsageError.
RequestedCode missingCode(const Options& options, const RequestedCode& code, const CompilerSource& compilers);

/// Why the session file `session` cannot be compiled with `options` because `code` is missing, and how to allow it: one
/// sentence. Empty if compiling can be tried; only libraries may be missing.
std::string whyCodeIsMissing(const Options& options, const RequestedCode& code, const std::filesystem::path& session,
                             const CompilerSource& compilers);

/// The end of an error about a model that cannot be loaded, naming libraries that it may need; may be empty.
std::string missingLibraries(const Options& options, const RequestedCode& code);

/// Leaves only the plug-ins of `choice` that provide one of its compilers, or cannot be used and therefore may.
void dropUnusedPlugins(CompilerChoice& choice, const CompilerSource& compilers);

}  // namespace aotscope
