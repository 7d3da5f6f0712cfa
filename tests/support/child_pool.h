#pragma once

#include <QStringList>

#include <functional>

namespace aotscope::test {

/// Limits on one job in a child process.
struct ChildLimits {
    int seconds = 20;                               ///< of CPU time; a waiting process is ended after ten minutes
    std::size_t extraBytes = std::size_t{1} << 30;  ///< of memory beyond what the process has when it starts
};

/// Returns the results of `job(i)` for each i below `count`. The jobs run in child processes, several in one; if one
/// is killed, runs too long, or takes too much memory, its result says so ("killed by signal 11") and the next job gets
/// a new process.
QStringList runInChildren(int count, const std::function<QString(int)>& job, const ChildLimits& limits = {});

}  // namespace aotscope::test
