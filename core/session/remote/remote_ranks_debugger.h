#pragma once

#include "debug/ranks_debugger.h"
#include "session/remote/remote_debugger.h"

namespace aotscope {

/// Ranks that are stepped together in another process. `records` has the graphs of each, and `start` is the remote
/// result of startOfRanks(). Throws Error, a clause.
std::shared_ptr<RanksDebugger> makeRemoteRanks(std::unique_ptr<DebuggerLink> link,
                                               std::vector<std::shared_ptr<const CompileRecord>> records,
                                               const nlohmann::json& start);

}  // namespace aotscope
