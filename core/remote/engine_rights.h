#pragma once

#include "ops/operator_policy.h"
#include "record/options/options.h"

namespace aotscope {

/// What an engine on this machine may do that another process has started.
enum class EngineRights : std::uint8_t {
    confined,   ///< compute, and read; see confineServed
    asTheUser,  ///< everything that the user may do
};

/// What is needed for native code and operators that the user allows.
inline EngineRights rightsFor(const Options& options) {
    const bool code =
        !options.libraries.empty() || !options.compilers.plugins.empty() || !options.partition.function.empty();
    return code || mayDoAll(options.allow) ? EngineRights::asTheUser : EngineRights::confined;
}

}  // namespace aotscope
