#pragma once

#include <QStringList>

#include <functional>

namespace aotscope::test {

/// Limits on one job in a child process.
struct ChildLimits {
    int seconds = 20;                               ///< of the processor's time; what waits may wait ten minutes
    std::size_t extraBytes = std::size_t{1} << 30;  ///< of memory beyond what the process has when it starts
};

/// What `job(i)` returns for each i below `count`. The jobs run in child processes, several in one; where one of them
/// is killed, runs too long, or takes too much memory, the result says so ("killed by signal 11") and the next job gets
/// a new process.
QStringList runInChildren(int count, const std::function<QString(int)>& job, const ChildLimits& limits = {});

}  // namespace aotscope::test
