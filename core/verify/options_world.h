#pragma once

#include "distributed/world.h"
#include "record/options/options.h"

#include <optional>

namespace aotscope {

/// While it lives, collectives of the calling thread run in the world of the options, which is not there, unless there
/// are other ranks to run with.
class OptionsWorld {
public:
    explicit OptionsWorld(const Options& options) {
        if (!WorldScope::isActive()) scope_.emplace(std::make_shared<World>(options.world));
    }

private:
    std::optional<WorldScope> scope_;
};

}  // namespace aotscope
