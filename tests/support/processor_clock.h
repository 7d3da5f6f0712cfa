#pragma once

#include <ctime>

namespace aotscope::test {

/// The CPU time of all threads of this process since the clock was made. It stands still while other programs
/// run, but runs up to three times as fast when a core and its caches are shared, so limits have to be generous.
class ProcessorClock {
public:
    double milliseconds() const { return now() - start_; }

private:
    static double now() {
        timespec time{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }
    double start_ = now();
};

}  // namespace aotscope::test
