#pragma once

#include "support/confinement.h"

#include <ATen/ThreadLocalState.h>

namespace aotscope {

/// Runs `job` of a plug-in unconfined, with the state of this thread. The user has chosen the plug-in: unlike the
/// graphs that it gets, it may start programs and write files.
template <typename Job>
auto asPlugin(Job&& job) {
    const at::ThreadLocalState caller;
    return unconfined([&] {
        const at::ThreadLocalStateGuard state(caller);
        return job();
    });
}

}  // namespace aotscope
