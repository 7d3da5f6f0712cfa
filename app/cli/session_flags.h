#pragma once

#include "cli/command_line.h"

namespace CLI {
class App;
}

namespace aotscope {

/// What `run` says of saving a session: --save FILE.aotscope is one of the values of --save, which takes nodes as well.
void addSaveFlags(CLI::App& run, Command& command);

/// Takes the session file out of the values of --save. Throws UsageError for several.
void takeSessionFile(Command& command, std::vector<std::string>& saved);

/// A session file has its own options: what `level` was given for the partition splits its joint graph again; throws
/// UsageError for anything else that would need the model. Other models are left alone.
void adaptToSessionFile(const CLI::App& level, Options& options);

}  // namespace aotscope
