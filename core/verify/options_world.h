#pragma once

#include "distributed/world.h"
#include "record/options/options.h"

#include <optional>

namespace aotscope {

/// During its lifetime, collectives of the calling thread run in the simulated world of the options, unless there are
/// real ranks.
class OptionsWorld {
public:
    explicit OptionsWorld(const Options& options) {
        if (!WorldScope::isActive()) scope_.emplace(std::make_shared<World>(options.world));
    }

private:
    std::optional<WorldScope> scope_;
};

}  // namespace aotscope
