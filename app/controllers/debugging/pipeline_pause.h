#pragma once

#include "passes/breakpoints.h"
#include "passes/pass_observer.h"

#include <QObject>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace aotscope {

/// A run of the pipeline that stands still, and why.
struct PipelineStop {
    std::shared_ptr<const CompileRecord> record;  ///< as far as it has come
    BreakpointHit hit;
};

/// Holds the pipeline, on its own thread, where a breakpoint says so, until it may go on or is cancelled.
class PipelinePause : public QObject, public PassObserver {
    Q_OBJECT

public:
    PipelinePause(std::vector<Breakpoint> breakpoints, bool stopAtOnce)
        : breakpoints_(std::move(breakpoints)), stepping_(stopAtOnce) {}

    void betweenPasses(const CompileRecord& record, std::string_view next, const Progress& progress) override;
    /// Lets it run to the next breakpoint, or to the end of the next pass.
    void resume(bool step);

Q_SIGNALS:
    /// From the pipeline's thread.
    void stopped(std::shared_ptr<const aotscope::PipelineStop> stop);

private:
    const std::vector<Breakpoint> breakpoints_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool stepping_, waiting_ = false;
};

}  // namespace aotscope
