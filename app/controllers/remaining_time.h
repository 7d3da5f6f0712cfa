#pragma once

#include <QString>
#include <chrono>
#include <vector>

namespace aotscope {

/// How long a job still takes, by the numbers at the end of its stages: "run 4 of 10" (see stageOf). Runs are assumed
/// to take equally long. Of counts within each other (run 4 of 10 of point 2 of 5), the outer one tells.
class RemainingTime {
public:
    using Clock = std::chrono::steady_clock;

    /// A stage begins; empty: the job has ended. Stages without numbers are parts of the last one with numbers.
    void enter(const QString& stage, Clock::time_point now);
    /// "about 20 s left"; empty if that is unknown, or not worth mentioning.
    QString text(Clock::time_point now) const;

private:
    struct Series {
        QString what;
        int first = 0, which = 0, all = 0;
        Clock::time_point start, since;  ///< of the first one seen, and of the current one
    };
    std::vector<Series> series_;  ///< outer ones first
};

}  // namespace aotscope
