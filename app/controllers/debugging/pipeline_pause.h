#pragma once

#include "passes/breakpoints.h"
#include "passes/pass_observer.h"

#include <QObject>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace aotscope {

/// A paused run of the pipeline, and the reason.
struct PipelineStop {
    std::shared_ptr<const CompileRecord> record;  ///< as far as it has come
    BreakpointHit hit;
};

/// Holds the pipeline, on its own thread, at a breakpoint until it is continued or cancelled.
class PipelinePause : public QObject, public PassObserver {
    Q_OBJECT

public:
    PipelinePause(std::vector<Breakpoint> breakpoints, bool stopAtOnce)
        : breakpoints_(std::move(breakpoints)), stepping_(stopAtOnce) {}

    void betweenPasses(const CompileRecord& record, std::string_view next, const Progress& progress) override;
    /// Continues to the next breakpoint, or to the end of the next pass.
    void resume(bool step);

Q_SIGNALS:
    /// Emitted on the pipeline's thread.
    void stopped(std::shared_ptr<const aotscope::PipelineStop> stop);

private:
    const std::vector<Breakpoint> breakpoints_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool stepping_, waiting_ = false;
};

}  // namespace aotscope
