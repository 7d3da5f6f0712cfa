#include "support/machine/brief_waits.h"

#include "support/library_function.h"

#include <cstdlib>

namespace aotscope {

namespace {

/// How GCC's OpenMP starts a parallel region.
using StartRegion = void(void (*job)(void*), void* data, unsigned threads, unsigned flags);

}  // namespace

/// GCC's OpenMP spins only briefly while it has more threads than processors (see GOMP_SPINCOUNT in its manual). What
/// is in the environment counts only while it is loaded; its threads can be had any time. These sleep.
BriefWaits::BriefWaits(bool crowded) {
    StartRegion* startRegion = nullptr;
    if (!crowded || std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT") ||
        !findFunction(RTLD_DEFAULT, "GOMP_parallel", startRegion))
        return;
    keeper_ = std::thread([this, startRegion] {
        const auto threads = static_cast<unsigned>(allowedProcessors() + 1);
        startRegion([](void*) {}, nullptr, threads, 0);
        started_.count_down();
        ending_.wait();  // the threads are this one's, and end with it
    });
    started_.wait();
}

BriefWaits::~BriefWaits() {
    ending_.count_down();
    if (keeper_.joinable()) keeper_.join();
}

}  // namespace aotscope
