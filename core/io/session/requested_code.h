#pragma once

#include "io/session/content.h"

#include <string>

namespace aotscope {

/// Moves what would be loaded, and settings of compilers that are not built in, from `options` to `code`.
void moveCode(Options& options, RequestedCode& code);

/// The settings of compilers that are not built in.
std::map<std::string, std::string> ownSettings(const CompilerChoice& choice);

/// Adds to `code` what `more` has beyond it.
void addCode(RequestedCode& code, const RequestedCode& more);

/// What of `code` is not in `options` and would be needed with them: libraries; plug-ins if a chosen compiler is
/// unknown; settings of the chosen compilers. Paths are absolute. Loads the plug-ins of `options`; throws UsageError.
RequestedCode missingCode(const Options& options, const RequestedCode& code);

/// Why the session file `session` cannot be compiled with `options`, code of its being missing: one sentence that names
/// it and says how to allow it. Empty: it can be tried; only libraries may be missing.
std::string whyCodeIsMissing(const Options& options, const RequestedCode& code, const std::filesystem::path& session);

/// The end of a sentence about a model that cannot be loaded: libraries that may be what it lacks. Empty: none.
std::string missingLibraries(const Options& options, const RequestedCode& code);

}  // namespace aotscope
