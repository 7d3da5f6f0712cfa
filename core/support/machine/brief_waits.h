#pragma once

#include "support/machine/cores.h"

#include <latch>
#include <thread>

namespace aotscope {

/// During its lifetime, if other work has some of the cores, OpenMP's threads of this process sleep soon when they wait
/// for each other or for work. They otherwise spin for milliseconds, which is fast where each has a core, but takes the
/// cores from those that they wait for where other work has them, too. Does nothing if the user has chosen how they
/// wait (OMP_WAIT_POLICY, GOMP_SPINCOUNT), or if OpenMP is not GCC's.
class BriefWaits {
public:
    explicit BriefWaits(bool crowded = freeCores() < availableCores());
    ~BriefWaits();
    BriefWaits(const BriefWaits&) = delete;
    BriefWaits& operator=(const BriefWaits&) = delete;

private:
    std::latch started_{1}, ending_{1};
    std::thread keeper_;
};

}  // namespace aotscope
