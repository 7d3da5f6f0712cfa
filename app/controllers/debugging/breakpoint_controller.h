#pragma once

#include "controllers/debugging/pipeline_pause.h"
#include "panels/breakpoint_panel.h"

#include <QAction>

namespace aotscope {

/// Breakpoints of the pipeline: every compilation gets a pause that knows them and can be continued.
class BreakpointController : public QObject {
    Q_OBJECT

public:
    explicit BreakpointController(QWidget* parent);

    BreakpointPanel* panel() const { return panel_; }
    /// Continue, step, and compile step by step.
    const std::vector<QAction*>& actions() const { return actions_; }
    /// The pause of a compilation that is about to start; null if it has no reason to stop.
    std::shared_ptr<PipelinePause> arm();
    /// Whether there is such a reason.
    bool armed() const;
    /// Where the pipeline is paused; null: it is not.
    const std::shared_ptr<const PipelineStop>& stop() const { return stop_; }
    /// The compilation has ended or was cancelled.
    void finish();

public Q_SLOTS:
    void goOn();
    void step();

Q_SIGNALS:
    void stopped(std::shared_ptr<const aotscope::PipelineStop> stop);
    /// The pipeline runs again.
    void resumed();
    /// Start a compilation that stops before its first pass.
    void stepwiseRequested();

private:
    void resume(bool step);
    void enable();

    BreakpointPanel* panel_;
    std::vector<QAction*> actions_;
    std::shared_ptr<PipelinePause> pause_;
    std::shared_ptr<const PipelineStop> stop_;
    bool stopAtOnce_ = false;
};

}  // namespace aotscope
