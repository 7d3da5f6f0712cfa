#pragma once

#include "record/options.h"

namespace CLI {
class App;
}

namespace aotscope {

/// Takes the session file out of the nodes of --save: `run` writes sessions by --save FILE.aotscope. Throws UsageError
/// for several. Empty: there is none.
std::filesystem::path takeSessionFile(std::vector<std::string>& saved);

/// Throws UsageError if there is a session file among the nodes of --save.
void refuseSessionFile(const std::vector<std::string>& saved);

/// A session file has its own options: what `parser` was given for the partition splits its joint graph again; throws
/// UsageError for anything else that would need the model. Other models are left alone.
void adaptToSessionFile(const CLI::App& parser, Options& options);

}  // namespace aotscope
